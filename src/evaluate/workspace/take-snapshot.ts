import {
  type CaptureMemory,
  captureFolder,
  diffTrees,
  type LostPath,
  type Repository,
  type TreeFiles,
} from '#git/index.js';
import { writeRef } from './run-repository.js';

/** Bytes of one file beyond which a snapshot names it as lost instead of holding it. */
const MAX_FILE_BYTES = 100 * 2 ** 20;
const MAX_FILES = 200_000;

export interface Snapshot {
  tree: string;
  commit: string;
  files: TreeFiles;
  lost: LostPath[];
}

export interface SnapshotRequest {
  repository: Repository;
  workspace: string;
  owned: readonly string[];
  memory: CaptureMemory;
  stage: number;
  /** Commit of the snapshot before; null for the first. */
  parent: string | null;
}

/** Captures the workspace as refs/stages/k. Nobody may be writing; taking it again gives the same commit. */
export async function takeSnapshot(request: SnapshotRequest): Promise<Snapshot> {
  const { repository, workspace, owned, memory, stage, parent } = request;
  const options = { owned, maxFileBytes: MAX_FILE_BYTES, maxFiles: MAX_FILES };
  const { tree, files, lost } = await captureFolder(repository, workspace, options, memory);
  const parents = parent === null ? [] : [parent];
  const commit = await repository.writeCommit({ tree, parents, message: `stage ${stage}` });
  await writeRef(repository, `refs/stages/${stage}`, commit);
  return { tree, commit, files, lost };
}

/** The tree that a snapshot of a workspace would have now. Writes objects, no ref. */
export async function treeOf(repository: Repository, workspace: string, owned: readonly string[]): Promise<string> {
  const options = { owned, maxFileBytes: MAX_FILE_BYTES, maxFiles: MAX_FILES };
  return (await captureFolder(repository, workspace, options)).tree;
}

/** Path keys that differ between two trees, and the difference as a patch for people. */
export async function changesBetween(
  repository: Repository,
  before: string,
  after: string,
): Promise<{ paths: string[]; patch: Buffer }> {
  const changes = diffTrees(await repository.files(before), await repository.files(after));
  if (changes.length === 0) return { paths: [], patch: Buffer.alloc(0) };
  const { stdout } = await repository.git({
    args: ['diff-tree', '-p', '--binary', '--no-renames', '--no-ext-diff', '--no-textconv', before, after],
  });
  return { paths: changes.map(({ path }) => path), patch: stdout };
}
