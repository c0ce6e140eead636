import { join } from 'node:path';
import type { Verdict } from '#documents/verdict.js';
import { type GradeRequest, gradeSnapshot } from '#evaluate/gate/index.js';
import { createRepository, keyOfText, type Repository, type TreeFiles } from '#git/index.js';
import { systemClock } from '#kernel/clock.js';
import { certain } from '#kernel/faults.js';
import { openTaskPackage, type SuitePlace, type TaskPackage } from '#store/index.js';

/** A change to a snapshot: text or bytes, a link, or null to remove the file or folder. */
export type Edit = string | Buffer | { link: string } | { executable: string } | null;

export interface GradingBench {
  task: TaskPackage;
  repository: Repository;
  /** Tree id of a reference state with edits on top. */
  edited(state: number, edits: Record<string, Edit>): Promise<string>;
  grade(stage: SuitePlace, tree: string, more?: Partial<GradeRequest>): Promise<{ verdict: Verdict; output: Buffer }>;
  close(): Promise<void>;
}

const LIMITS = { pids: 512, memoryBytes: null, cpus: null, diskBytes: null };

/** A task package with a repository that holds its states, for grading edited states in tests. */
export async function openGradingBench(
  taskFolder: string,
  gitDir: string,
  defaults: Partial<GradeRequest> = {},
): Promise<GradingBench> {
  const task = await openTaskPackage(taskFolder);
  const repository = await createRepository(gitDir);
  await repository.git({ args: ['bundle', 'unbundle', task.statesBundle] });
  return {
    task,
    repository,
    edited: async (state, edits) => {
      const files = new Map(await repository.files(certain(task.states[state], 'a state')));
      for (const [path, edit] of Object.entries(edits)) await applyEdit(repository, files, keyOfText(path), edit);
      return repository.writeTree(files);
    },
    grade: (stage, snapshotTree, more = {}) =>
      gradeSnapshot({
        ...{ package: task, stage, repository, snapshotTree, agent: 'tester', attempt: 1, round: 0 },
        ...{ sandbox: { kind: 'local', limits: LIMITS }, environmentFolder: null, cacheFolder: null },
        ...{ seed: 'test', derivedFrom: null, clock: systemClock, label: 'grade-test', twins: true },
        ...defaults,
        ...more,
      }),
    close: () => repository.close(),
  };
}

async function applyEdit(repository: Repository, files: TreeFiles, path: string, edit: Edit): Promise<void> {
  for (const other of [...files.keys()]) if (other === path || other.startsWith(`${path}/`)) files.delete(other);
  if (edit === null) return;
  if (typeof edit === 'string' || Buffer.isBuffer(edit)) {
    files.set(path, { mode: '100644', oid: await repository.writeBlob(Buffer.from(edit as string)) });
  } else if ('link' in edit)
    files.set(path, { mode: '120000', oid: await repository.writeBlob(Buffer.from(edit.link)) });
  else files.set(path, { mode: '100755', oid: await repository.writeBlob(Buffer.from(edit.executable)) });
}

/** A fresh place below a test's folder for a bench. */
export function benchPlaces(folder: string): { task: string; gitDir: string } {
  return { task: join(folder, 'task'), gitDir: join(folder, 'bench.git') };
}
