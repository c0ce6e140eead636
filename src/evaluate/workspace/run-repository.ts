import { join } from 'node:path';
import { createRepository, type Repository } from '#git/index.js';
import { type TaskPackage, writeFileAtomic } from '#store/index.js';

/**
 * The repository that keeps a run's snapshots (refs/stages/k), with the task's reference states (refs/states/0..n) beside
 * them. It lies outside every sandbox. Safe to call again on one that was left half made.
 */
export async function openRunRepository(gitDir: string, task: TaskPackage): Promise<Repository> {
  const repository = await createRepository(gitDir);
  const last = task.states.at(-1);
  if (last !== undefined && (await repository.read(last)) === null)
    await repository.git({ args: ['bundle', 'unbundle', task.statesBundle] });
  for (const [state, commit] of task.states.entries()) await writeRef(repository, `refs/states/${state}`, commit);
  // What stands in S_0 is here already: the first snapshot need not store it again.
  await repository.files('refs/states/0');
  return repository;
}

/** Points a ref of a repository of ours at a commit: one rename, so that no death leaves a lock behind. */
export async function writeRef(repository: Repository, ref: string, commit: string): Promise<void> {
  await writeFileAtomic(join(repository.place.gitDir, ref), `${commit}\n`);
}
