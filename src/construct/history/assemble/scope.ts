import { type FileVersion, type PairRequest, pairKey, versionKey } from '../facts/facts-job.js';
import { walkFirstParents } from '../graph/walk-first-parents.js';
import type { FileChange, HistoryCommit, HistoryOptions } from '../history.js';
import { versionAt } from './plan-pairs.js';

/** Marks the commits inside the asked window. The walk itself is always whole. */
export function markScope(commits: readonly HistoryCommit[], options: HistoryOptions): void {
  const { sinceMs, untilMs, maxCommits, paths } = options;
  let left = maxCommits ?? Number.POSITIVE_INFINITY;
  for (const commit of commits.toReversed()) {
    const at = commit.committedAt === null ? null : Date.parse(commit.committedAt);
    const inTime =
      at === null || ((sinceMs === undefined || at >= sinceMs) && (untilMs === undefined || at <= untilMs));
    const inPaths =
      paths === undefined || paths.length === 0 || commit.changes.some((change) => isBelow(change, paths));
    commit.inScope = inTime && inPaths && left > 0;
    if (commit.inScope) left -= 1;
  }
}

function isBelow({ path, from }: FileChange, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) =>
    [path, from ?? path].some(
      (held) => held === prefix || held.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`),
    ),
  );
}

/**
 * Versions that stand in the tree when the window opens: the graph needs their imports although nothing in the window
 * changes them. Nothing where the window is the whole history.
 */
export function versionsAliveInScope(commits: readonly HistoryCommit[]): { lineage: number; pair: PairRequest }[] {
  if (commits.every((commit) => commit.inScope)) return [];
  const tree = new Map<string, { lineage: number; version: FileVersion | null }>();
  const found = new Map<string, { lineage: number; pair: PairRequest }>();
  walkFirstParents(
    commits.map((commit) => commit.firstParent),
    (index) => {
      const commit = commits[index] as HistoryCommit;
      const opens = commit.inScope && !(commits[commit.firstParent]?.inScope ?? false);
      if (opens)
        for (const { lineage, version } of tree.values())
          if (version !== null) found.set(versionKey(version), { lineage, pair: whole(version) });
      return apply(tree, commit);
    },
    (undo) => {
      for (const [path, before] of undo.toReversed()) {
        if (before === undefined) tree.delete(path);
        else tree.set(path, before);
      }
    },
  );
  return [...found.values()];
}

type Held = { lineage: number; version: FileVersion | null };

function apply(tree: Map<string, Held>, commit: HistoryCommit): [string, Held | undefined][] {
  const undo: [string, Held | undefined][] = [];
  for (const { path, from, status, lineage, after, newBlob } of commit.changes) {
    if (from !== null && status === 'renamed') {
      undo.push([from, tree.get(from)]);
      tree.delete(from);
    }
    undo.push([path, tree.get(path)]);
    if (newBlob === null) tree.delete(path);
    else tree.set(path, { lineage, version: versionAt(path, after, newBlob) });
  }
  return undo;
}

/** A version against itself: only its own facts are wanted. */
function whole(version: FileVersion): PairRequest {
  return { key: pairKey(version, version), old: version, new: version };
}
