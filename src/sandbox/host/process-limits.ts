import { existsSync } from 'node:fs';
import type { Limits } from '../contract.js';

const PROGRAM = '/usr/bin/prlimit';

/**
 * The beginning of a command line that holds limits where no control group can: memory for each process alone (so a limit
 * of the whole sandbox is not enforced by it), and the number of processes. The kernel counts processes by user and user
 * namespace, so that number is exact only in a namespace of the command's own.
 */
export function processLimits(limits: Limits, enforced: { pids: boolean; memory: boolean }): string[] {
  if (!existsSync(PROGRAM)) return [];
  const options = [
    ...(limits.pids === null || enforced.pids ? [] : [`--nproc=${limits.pids}:${limits.pids}`]),
    ...(limits.memoryBytes === null || enforced.memory ? [] : [`--data=${limits.memoryBytes}:${limits.memoryBytes}`]),
  ];
  return options.length === 0 ? [] : [PROGRAM, ...options, '--'];
}
