import { type CommitObject, parseCommitObject } from '#git/index.js';
import type { EntryKind, FileStatus } from '../history.js';
import { ENTRY_KINDS, EXACT_RENAMES_ONLY, type RawColumns, type RawHead } from './raw-columns.js';

/** One change of a raw history. Blobs are null where nothing stands, and for gitlinks they name a commit elsewhere. */
export interface RawChange {
  path: string;
  from: string | null;
  status: FileStatus;
  before: EntryKind;
  after: EntryKind;
  oldBlob: string | null;
  newBlob: string | null;
}

const STATUS_NAMES: Record<string, FileStatus> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};

/** Reads the columns of a history as commits and changes, made when asked for. */
export class RawHistory {
  private pathTable: readonly string[] | null = null;
  private readonly objectTable = new Map<number, string>();

  constructor(
    readonly head: RawHead,
    readonly columns: RawColumns,
  ) {}

  get commitCount(): number {
    return this.columns.commitFlags.length;
  }

  get changeCount(): number {
    return this.columns.changePaths.length;
  }

  idOf(commit: number): string {
    const { idBytes } = this.head;
    return this.columns.commitIds.toString('hex', commit * idBytes, (commit + 1) * idBytes);
  }

  parentsOf(commit: number): number[] {
    const { parents, parentStarts } = this.columns;
    return [...parents.subarray(parentStarts[commit], parentStarts[commit + 1])];
  }

  /** The commit object's own bytes. */
  contentOf(commit: number): Buffer {
    const { contents, contentStarts } = this.columns;
    return contents.subarray(contentStarts[commit], contentStarts[commit + 1]);
  }

  objectOf(commit: number): CommitObject {
    return parseCommitObject(this.contentOf(commit));
  }

  isExactOnly(commit: number): boolean {
    return this.head.renames !== 'similar' || ((this.columns.commitFlags[commit] ?? 0) & EXACT_RENAMES_ONLY) !== 0;
  }

  changesOf(commit: number): RawChange[] {
    const { changeStarts } = this.columns;
    const end = changeStarts[commit + 1] ?? 0;
    const changes: RawChange[] = [];
    for (let at = changeStarts[commit] ?? 0; at < end; at += 1) changes.push(this.change(at));
    return changes;
  }

  /** Indices into `objectIds` of every blob (no gitlinks), ascending. */
  blobIndices(): Uint32Array {
    const { changeKinds, changeOldIds, changeNewIds } = this.columns;
    const gitlink = ENTRY_KINDS.indexOf('gitlink');
    const isBlob = new Uint8Array(this.columns.objectIds.length / this.head.idBytes);
    changeKinds.forEach((kinds, at) => {
      if ((kinds & 15) !== gitlink) isBlob[changeOldIds[at] ?? 0] = 1;
      if (kinds >> 4 !== gitlink) isBlob[changeNewIds[at] ?? 0] = 1;
    });
    return Uint32Array.from(isBlob.keys()).filter((index) => index > 0 && isBlob[index] === 1);
  }

  /** Blobs that the repository lacks. */
  missingBlobs(): Set<string> {
    return new Set(Array.from(this.columns.missing, (index) => this.objectName(index) ?? ''));
  }

  /** Every path that ever changed. */
  get paths(): readonly string[] {
    const { paths } = this.columns;
    this.pathTable ??= paths.toString('latin1', 0, Math.max(0, paths.length - 1)).split('\0');
    return this.pathTable;
  }

  private change(at: number): RawChange {
    const { columns, paths } = this;
    const kinds = columns.changeKinds[at] ?? 0;
    const from = columns.changeFroms[at] ?? 0;
    return {
      path: paths[columns.changePaths[at] ?? 0] ?? '',
      from: from === 0 ? null : (paths[from - 1] ?? null),
      status: STATUS_NAMES[String.fromCharCode(columns.changeStatuses[at] ?? 0)] ?? 'modified',
      before: ENTRY_KINDS[kinds & 15] ?? 'file',
      after: ENTRY_KINDS[kinds >> 4] ?? 'file',
      oldBlob: this.objectName(columns.changeOldIds[at] ?? 0),
      newBlob: this.objectName(columns.changeNewIds[at] ?? 0),
    };
  }

  private objectName(index: number): string | null {
    if (index === 0) return null;
    const known = this.objectTable.get(index);
    if (known !== undefined) return known;
    const { idBytes } = this.head;
    const name = this.columns.objectIds.toString('hex', index * idBytes, (index + 1) * idBytes);
    this.objectTable.set(index, name);
    return name;
  }
}
