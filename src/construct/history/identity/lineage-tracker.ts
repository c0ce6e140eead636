import { classifyPath } from '#languages/index.js';
import type { FileChange, Lineage } from '../history.js';
import type { RawChange } from '../raw/raw-history.js';
import { pairMovedFolders } from './pair-moved-folders.js';

interface Held {
  lineage: number;
  /** How the path was left; null while something stands there on some branch. */
  gone: 'deleted' | 'renamed' | null;
}

/**
 * Gives every path of every commit the identity of its file. Commits come in topological order. The path's last event
 * on any branch counts, so work on a branch that still uses a file's old path keeps the file's identity.
 */
export class LineageTracker {
  readonly lineages: Lineage[] = [];
  private readonly byPath = new Map<string, Held>();

  /** Changes of a commit with lineage and role. Line counts are not known here. */
  apply(commit: number, raw: readonly RawChange[], isMerge: boolean): FileChange[] {
    const changes = isMerge ? raw : pairMovedFolders(raw);
    const identified = isMerge ? this.ofMerge(changes) : this.ofCommit(changes);
    for (const { lineage, path } of identified) {
      const held = this.lineages[lineage];
      if (held === undefined) continue;
      if (held.paths.at(-1) !== path) held.paths.push(path);
      if (!isMerge) held.touchedBy.push(commit);
    }
    return identified;
  }

  /** A merge that wrote the file itself. */
  touch(lineage: number, commit: number): void {
    this.lineages[lineage]?.touchedBy.push(commit);
  }

  /** Settles what depends on the whole past: roles, and paths without repetition. */
  finish(): Lineage[] {
    for (const lineage of this.lineages) {
      lineage.role = classifyPath(lineage.paths.at(-1) ?? '');
      lineage.paths = [...new Set(lineage.paths)];
    }
    return this.lineages;
  }

  private ofCommit(changes: readonly RawChange[]): FileChange[] {
    // A rename takes its identity along before anything else in the commit can take the old path.
    const moved = new Map<RawChange, number>();
    for (const change of changes)
      if (change.status === 'renamed' && change.from !== null) moved.set(change, this.at(change.from).lineage);
    for (const change of changes) {
      if (change.status === 'deleted') this.leave(change.path, 'deleted');
      if (change.status === 'renamed' && change.from !== null) this.leave(change.from, 'renamed');
    }
    return changes.map((change) => {
      const lineage = moved.get(change) ?? this.lineageOf(change);
      if (change.status !== 'deleted') this.byPath.set(change.path, { lineage, gone: null });
      return identified(change, lineage);
    });
  }

  private lineageOf(change: RawChange): number {
    if (change.status === 'added' || change.status === 'copied') {
      // A path whose file moved away is free for another file; a deleted file may come back.
      return this.byPath.get(change.path)?.gone === 'renamed' ? this.fresh(change.path) : this.at(change.path).lineage;
    }
    return this.at(change.path).lineage;
  }

  /** Compared with its first parent a merge shows what its branches did; their renames are found by identity. */
  private ofMerge(changes: readonly RawChange[]): FileChange[] {
    const all = changes.map((change) => identified(change, this.at(change.path).lineage));
    const added = new Map(all.filter((change) => change.status === 'added').map((change) => [change.lineage, change]));
    const left = new Set<FileChange>();
    for (const change of all) {
      const partner = change.status === 'deleted' ? added.get(change.lineage) : undefined;
      if (partner === undefined || partner.from !== null) continue;
      Object.assign(partner, { status: 'renamed', from: change.path, before: change.before, oldBlob: change.oldBlob });
      left.add(change);
    }
    for (const change of all) if (change.status === 'deleted' && !left.has(change)) this.leave(change.path, 'deleted');
    return all.filter((change) => !left.has(change));
  }

  private at(path: string): Held {
    const held = this.byPath.get(path);
    if (held !== undefined) return held;
    const fresh: Held = { lineage: this.fresh(path), gone: null };
    this.byPath.set(path, fresh);
    return fresh;
  }

  private leave(path: string, gone: 'deleted' | 'renamed'): void {
    this.byPath.set(path, { lineage: this.at(path).lineage, gone });
  }

  private fresh(path: string): number {
    this.lineages.push({ index: this.lineages.length, paths: [path], touchedBy: [], role: 'other' });
    return this.lineages.length - 1;
  }
}

function identified(change: RawChange, lineage: number): FileChange {
  const { path, from, status, before, after, oldBlob, newBlob } = change;
  const role = roleOf(change);
  return { path, from, status, lineage, role, before, after, oldBlob, newBlob, addedLines: null, removedLines: null };
}

const roles = new Map<string, FileChange['role']>();

function roleOf(change: RawChange): FileChange['role'] {
  if (change.after === 'gitlink' || change.before === 'gitlink') return 'vendored';
  const known = roles.get(change.path);
  if (known !== undefined) return known;
  const role = classifyPath(change.path);
  roles.set(change.path, role);
  return role;
}
