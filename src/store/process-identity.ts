import { readFile, readlink } from 'node:fs/promises';
import { errorCodeOf } from '#kernel/faults.js';

/** A process's start in clock ticks since boot (proc(5), field 22): with the pid an identity that survives pid reuse. */
export async function startTicks(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT' || errorCodeOf(thrown) === 'ESRCH') return null;
    throw thrown;
  }
}

/**
 * Who we are, for others of this host to find out later whether we still live: process namespace, pid, start.
 * Digits and dots only.
 */
export async function ownStamp(): Promise<string> {
  return `${await processNamespace()}.${process.pid}.${(await startTicks(process.pid)) ?? 0}`;
}

/** Whether the process of a stamp has died. Of another process namespace nothing can be known: false. */
export async function isStampDead(stamp: string): Promise<boolean> {
  const [namespace, pid, ticks] = stamp.split('.');
  if (pid === undefined || ticks === undefined || namespace !== (await processNamespace())) return false;
  return (await startTicks(Number(pid))) !== ticks;
}

async function processNamespace(): Promise<string> {
  return /[0-9]+/.exec(await readlink('/proc/self/ns/pid'))?.[0] ?? '0';
}
