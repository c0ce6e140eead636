import type { RawChange } from '../raw/raw-history.js';

/**
 * When a folder moves, small or much edited files look deleted and added. Where other files of the commit moved from
 * one folder to another, a deleted and an added file of the same name in these folders are one file.
 */
export function pairMovedFolders(changes: readonly RawChange[]): readonly RawChange[] {
  const moves = folderMoves(changes);
  if (moves.size === 0) return changes;
  const added = new Map(changes.filter((change) => change.status === 'added').map((change) => [change.path, change]));
  const pairs = new Map<RawChange, RawChange>();
  const gone = new Set<RawChange>();
  for (const change of changes) {
    if (change.status !== 'deleted') continue;
    const { folder, name } = split(change.path);
    const target = moves.get(folder);
    const partner = target === undefined ? undefined : added.get(target + name);
    if (partner === undefined || partner.after !== change.before || pairs.has(partner)) continue;
    pairs.set(partner, change);
    gone.add(change);
  }
  if (gone.size === 0) return changes;
  return changes
    .filter((change) => !gone.has(change))
    .map((change) => {
      const old = pairs.get(change);
      return old === undefined
        ? change
        : { ...change, status: 'renamed', from: old.path, before: old.before, oldBlob: old.oldBlob };
    });
}

/** Folder -> where most of its renamed files went, if at least two did. */
function folderMoves(changes: readonly RawChange[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { status, from, path } of changes) {
    if (status !== 'renamed' || from === null) continue;
    const old = split(from);
    const now = split(path);
    if (old.name !== now.name || old.folder === now.folder) continue;
    const targets = counts.get(old.folder) ?? new Map<string, number>();
    targets.set(now.folder, (targets.get(now.folder) ?? 0) + 1);
    counts.set(old.folder, targets);
  }
  const moves = new Map<string, string>();
  for (const [folder, targets] of counts) {
    const [best] = [...targets].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (best !== undefined && best[1] >= 2) moves.set(folder, best[0]);
  }
  return moves;
}

function split(path: string): { folder: string; name: string } {
  const cut = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, cut), name: path.slice(cut) };
}
