import { delay } from '#kernel/async.js';
import { errorCodeOf } from '#kernel/faults.js';
import { killProcess, type ProcessEntry, readProcess } from './process-table.js';

const ROUNDS = 400;
const PAUSE_MS = 5;

/**
 * Kills what `find` finds again and again until it finds nothing: whoever forks while being swept is met in the next round.
 * @param afterKill e.g. lets frozen processes act on their signal
 */
export async function endProcesses(
  find: () => Promise<ProcessEntry[]>,
  afterKill?: (pids: readonly number[]) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await find();
    if (found.length === 0) return;
    for (const { pid } of found) killProcess(pid);
    await afterKill?.(found.map(({ pid }) => pid));
    await delay(PAUSE_MS);
  }
}

/** Stops what `find` finds until nothing of it runs any more: whoever forks while being stopped is met in the next round. */
export async function stopProcesses(find: () => Promise<{ pid: number }[]>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const moving = (await find()).filter(({ pid }) => !['T', 't', undefined].includes(readProcess(pid)?.state));
    if (moving.length === 0) return;
    signalProcesses(moving, 'SIGSTOP');
    await delay(PAUSE_MS);
  }
}

/** Sends a signal to each; those that are gone meanwhile are fine. */
export function signalProcesses(processes: readonly { pid: number }[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch (thrown) {
      if (errorCodeOf(thrown) !== 'ESRCH') throw thrown;
    }
  }
}
