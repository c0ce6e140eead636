import { readFile } from 'node:fs/promises';
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
