import { delay } from '#kernel/async.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { killProcess, type ProcessEntry, readProcess } from './process-table.js';

const ROUNDS = 400;
const PAUSE_MS = 5;
/** After so many rounds somebody in there is breeding. */
const PATIENT_ROUNDS = 3;

/**
 * Kills what `find` finds again and again until it finds nothing. Whoever forks faster than that is stopped first: what is
 * stopped cannot fork.
 * @param releaseFrozen for processes that stand frozen: lets those that were killed act on it
 * @throws Fault `sandbox-not-ended` (environment) where something cannot be killed
 */
export async function endProcesses(
  find: () => Promise<ProcessEntry[]>,
  releaseFrozen?: (pids: readonly number[]) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round >= PATIENT_ROUNDS && releaseFrozen === undefined) await stopProcesses(find);
    const found = await find();
    if (found.length === 0) return;
    for (const { pid } of found) killProcess(pid);
    await releaseFrozen?.(found.map(({ pid }) => pid));
    await delay(PAUSE_MS);
  }
  const left = (await find()).map(({ pid, name }) => `${pid} (${name})`);
  throw new Fault({
    code: 'sandbox-not-ended',
    kind: 'environment',
    message: `processes of a sandbox cannot be killed: ${left.slice(0, 10).join(', ')}`,
    hint: 'They hang in the kernel (state D in ps) or belong to another user; the workspace cannot be trusted while they live.',
  });
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
