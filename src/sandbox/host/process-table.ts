// Only files of /proc are read here that take no lock of the process they tell of: a hostile process can hold its memory's
// lock for seconds (by forking without end), and whoever reads its command line or environment waits that long.
import { readdirSync, readFileSync } from 'node:fs';
import { errorCodeOf } from '#kernel/faults.js';

/** One process as the host's kernel shows it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  /** R, S, D, T, Z ...: Z has died and only waits to be collected. */
  state: string;
  /** Ticks since the machine's start: tells a process from a later one that got its number. */
  startTicks: number;
  /** The program's short name, at most 15 bytes, which the process itself may choose. */
  name: string;
}

/** The process, or null where it is gone. */
export function readProcess(pid: number): ProcessEntry | null {
  const stat = readProcFile(`/proc/${pid}/stat`)?.toString('latin1');
  if (stat === undefined) return null;
  // The name stands in brackets and may itself hold brackets and blanks: only the last one closes it.
  const close = stat.lastIndexOf(')');
  const fields = stat.slice(close + 2).split(' ');
  return {
    pid,
    parent: Number(fields[1]),
    state: fields[0] ?? '?',
    startTicks: Number(fields[19]),
    name: stat.slice(stat.indexOf('(') + 1, close),
  };
}

/** Every process of the host that still lives (the dead that wait to be collected are left out). */
export function allProcesses(): ProcessEntry[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.map((name) => readProcess(Number(name))).filter(isAlive);
}

/** The living among these process numbers. */
export function livingProcesses(pids: Iterable<number>): ProcessEntry[] {
  return [...pids].map((pid) => readProcess(pid)).filter(isAlive);
}

/** The given processes and all their descendants. */
export function treesOf(roots: Iterable<number>, table: readonly ProcessEntry[]): Set<number> {
  const children = new Map<number, number[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry.pid]);
    else siblings.push(entry.pid);
  }
  const found = new Set<number>();
  // 0 stands for nobody here: as a parent it is that of everybody.
  const pending = [...roots].filter((pid) => pid > 0);
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    pending.push(...(children.get(pid) ?? []));
  }
  return found;
}

/**
 * The process's number in a pid namespace below ours (1: that namespace's init); null where it runs in our own or is gone.
 */
export function innerPidOf(pid: number): number | null {
  const line = readProcFile(`/proc/${pid}/status`)
    ?.toString('latin1')
    .match(/^NSpid:\s*(.*)$/m);
  const numbers = line?.[1]?.split('\t') ?? [];
  return numbers.length < 2 ? null : Number(numbers.at(-1));
}

/** The user whom the kernel takes the process for; null where it is gone. */
export function realUidOf(pid: number): number | null {
  const uid = readProcFile(`/proc/${pid}/status`)
    ?.toString('latin1')
    .match(/^Uid:\t(\d+)/m)?.[1];
  return uid === undefined ? null : Number(uid);
}

/** Sends SIGKILL to one process; one that is gone is fine. Returns false where we may not. */
export function killProcess(pid: number): boolean {
  if (pid <= 1) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch (thrown) {
    const code = errorCodeOf(thrown);
    if (code === 'ESRCH') return true;
    if (code === 'EPERM') return false;
    throw thrown;
  }
}

function isAlive(entry: ProcessEntry | null): entry is ProcessEntry {
  return entry !== null && entry.state !== 'Z' && entry.state !== 'X';
}

function readProcFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (thrown) {
    // Gone between the listing and the reading, or not ours to read.
    const code = errorCodeOf(thrown);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined;
    throw thrown;
  }
}
