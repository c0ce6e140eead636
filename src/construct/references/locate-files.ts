import type { Repository, TreeFiles } from '#git/index.js';
import { readChanges } from './read-changes.js';
import type { HistoryStep, PathChange, StageCommit } from './stages.js';

/** Every file patch along the chain's path through history. */
export interface PathHistory {
  steps: readonly HistoryStep[];
  changes: readonly PathChange[][];
  /** Index of the step that made the commit; null where it is not on the path. */
  stepOf(oid: string): number | null;
}

/** Reads the file patches of all steps in one process. */
export async function readPathHistory(repository: Repository, steps: readonly HistoryStep[]): Promise<PathHistory> {
  const trees = new Map<string, string>();
  const treeOf = async (oid: string): Promise<string> => {
    const known = trees.get(oid);
    if (known !== undefined) return known;
    const { tree } = await repository.commit(oid);
    trees.set(oid, tree);
    return tree;
  };
  const emptyTree = await repository.writeTree(new Map());
  const pairs: { before: string; after: string }[] = [];
  for (const { parent, commit } of steps)
    pairs.push({ before: parent === null ? emptyTree : await treeOf(parent), after: await treeOf(commit) });
  const positions = new Map(steps.map(({ commit }, index) => [commit, index]));
  return {
    steps,
    changes: await readChanges(repository, pairs),
    stepOf: (oid) => positions.get(oid) ?? null,
  };
}

/**
 * Finds where a file of a chain commit is at the checkpoint, through the renames in between. History is read only
 * when a path is not simply still there.
 */
export class FileLocator {
  private readonly direct = new Map<string, Map<string, string>>();

  constructor(
    private readonly repository: Repository,
    private readonly checkpoint: { tree: string; files: TreeFiles },
    private readonly history: () => Promise<PathHistory | null>,
  ) {}

  /** The path at the checkpoint, or null where later work deleted the file. */
  async atCheckpoint(commit: StageCommit, path: string): Promise<string | null> {
    if (this.checkpoint.files.has(path)) return path;
    const history = await this.history();
    const step = history?.stepOf(commit.oid) ?? null;
    if (history !== null && step !== null) return followForward(history, step + 1, path);
    return (await this.renamesSince(commit)).get(path) ?? null;
  }

  private async renamesSince(commit: StageCommit): Promise<Map<string, string>> {
    const known = this.direct.get(commit.oid);
    if (known !== undefined) return known;
    const [changes = []] = await readChanges(this.repository, [{ before: commit.tree, after: this.checkpoint.tree }]);
    const renames = new Map<string, string>();
    for (const { before, after } of changes)
      if (before !== null && after !== null && before.path !== after.path) renames.set(before.path, after.path);
    this.direct.set(commit.oid, renames);
    return renames;
  }
}

function followForward(history: PathHistory, from: number, path: string): string | null {
  let at: string | null = path;
  for (let step = from; step < history.changes.length && at !== null; step += 1) {
    for (const { before, after } of history.changes[step] ?? []) {
      if (before?.path !== at || after?.path === at) continue;
      at = after?.path ?? null;
      break;
    }
  }
  return at;
}
