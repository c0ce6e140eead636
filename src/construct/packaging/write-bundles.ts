import { join } from 'node:path';
import { createRepository, type Repository } from '#git/index.js';
import { withTemporaryFolder } from '#store/index.js';

/**
 * Writes S_0 as one commit without parents, and every state as a commit of its own, as git bundles. Each holds what its
 * commits reach and nothing else: no history, no later object.
 */
export async function writeBundles(
  repository: Repository,
  trees: readonly string[],
  targets: { workspace: string; states: string },
): Promise<void> {
  await withTemporaryFolder('bundle', async (folder) => {
    const { gitDir, objectDirectory, ownObjects = join(gitDir, 'objects') } = repository.place;
    const borrowed = [...(objectDirectory === undefined ? [] : [objectDirectory]), ownObjects];
    const fresh = await createRepository(join(folder, 'bundles.git'), { borrowObjectsFrom: borrowed });
    try {
      for (const [state, tree] of trees.entries()) {
        const commit = await fresh.writeCommit({ tree, message: `State ${state}` });
        await fresh.git({ args: ['update-ref', `refs/states/${state}`, commit] });
        if (state > 0) continue;
        const first = await fresh.writeCommit({ tree, message: 'Initial state' });
        await fresh.git({ args: ['update-ref', 'refs/heads/main', first] });
      }
      await fresh.git({ args: ['bundle', 'create', '-q', targets.workspace, 'refs/heads/main'] });
      await fresh.git({ args: ['bundle', 'create', '-q', targets.states, '--glob=refs/states/*'] });
    } finally {
      await fresh.close();
    }
  });
}
