import type { RenameMode } from '#git/index.js';

/** What stands at a path, as kept in a column. */
export const ENTRY_KINDS = ['absent', 'file', 'executable', 'symlink', 'gitlink'] as const;

/** Bits of `commitFlags`. */
export const EXACT_RENAMES_ONLY = 1;

/** Facts about the whole raw history. */
export interface RawHead {
  /** Full id of the newest commit. */
  head: string;
  gitVersion: string;
  renames: RenameMode;
  completeness: 'complete' | 'shallow' | 'partial';
  /** Bytes of an object id: 20 or 32. */
  idBytes: number;
}

/**
 * A whole history as columns: a few numbers for each change, so that a million fit in some 20 MB. Commits are in
 * topological order; the changes of commit `i` are those from `changeStarts[i]` up to `changeStarts[i + 1]`.
 */
export interface RawColumns {
  commitIds: Buffer;
  commitFlags: Uint8Array;
  parentStarts: Uint32Array;
  /** Commit positions; -1 where the parent is not there. */
  parents: Int32Array;
  contentStarts: Float64Array;
  contents: Buffer;
  changeStarts: Uint32Array;
  /** Index of the path, and of the path before a rename plus one (0: none). */
  changePaths: Uint32Array;
  changeFroms: Uint32Array;
  /** Index into `objectIds`. Index 0 is the id of nothing. */
  changeOldIds: Uint32Array;
  changeNewIds: Uint32Array;
  /** Letter of the status. */
  changeStatuses: Uint8Array;
  /** Kind before in the low four bits, after in the high four. */
  changeKinds: Uint8Array;
  /** Ids of blobs and gitlinks, one after the other. */
  objectIds: Buffer;
  /** Paths, each ended by a NUL byte. */
  paths: Buffer;
  /** Indices into `objectIds` of blobs that the repository lacks. */
  missing: Uint32Array;
}

export const COLUMN_NAMES = [
  'commitIds',
  'commitFlags',
  'parentStarts',
  'parents',
  'contentStarts',
  'contents',
  'changeStarts',
  'changePaths',
  'changeFroms',
  'changeOldIds',
  'changeNewIds',
  'changeStatuses',
  'changeKinds',
  'objectIds',
  'paths',
  'missing',
] as const satisfies readonly (keyof RawColumns)[];
