import { allProcesses, innerPidOf, type ProcessEntry, treesOf } from '../host/process-table.js';

/** The first process of the pid namespace that this bubblewrap made, or null where there is none (yet, any more). */
export function initOf(outerPid: number): number | null {
  const table = allProcesses();
  for (const pid of treesOf([outerPid], table)) {
    if (pid !== outerPid && innerPidOf(pid) === 1) return pid;
  }
  return null;
}

/**
 * What runs inside the bubblewraps with these host process numbers. Complete: whoever loses its parent inside gets the
 * namespace's first process as its new one, which is below bubblewrap.
 */
export function processesBelow(outerPids: Iterable<number>): ProcessEntry[] {
  const outer = [...outerPids];
  const table = allProcesses();
  const inside = treesOf(outer, table);
  return table.filter((entry) => inside.has(entry.pid) && isGuest(entry.pid));
}

/**
 * The processes that the live commands started by these bubblewraps keep: each command with its descendants, but not what
 * left the command's tree and now hangs below the namespace's first process.
 */
export function keptTrees(outerPids: readonly number[]): Set<number> {
  const table = allProcesses();
  const kept = new Set<number>();
  for (const outer of outerPids) {
    const init = initOf(outer);
    const main = init === null ? null : oldest(table.filter((entry) => entry.parent === init));
    for (const pid of treesOf([main?.pid ?? outer], table)) kept.add(pid);
  }
  return kept;
}

function oldest(entries: readonly ProcessEntry[]): ProcessEntry | null {
  return entries.reduce<ProcessEntry | null>(
    (best, entry) => (best === null || entry.startTicks < best.startTicks ? entry : best),
    null,
  );
}

/** Launchers, bubblewrap's monitor, the namespace's first process and the shell it runs (always its second) are ours. */
function isGuest(pid: number): boolean {
  const inner = innerPidOf(pid);
  return inner !== null && inner > 2;
}
