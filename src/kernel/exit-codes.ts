import type { FaultKind } from './faults.js';

/** Every exit code of the command line. */
export const EXIT = {
  /** Done, and the answer is yes. */
  yes: 0,
  /** Done, and the answer is no: a gate failed, a check refused, a comparison crossed its line. */
  no: 1,
  usage: 2,
  input: 3,
  /** The machine lacks something; `featurearc doctor` explains. */
  environment: 4,
  /** Ended, but some runs stay unfinished for outside reasons. */
  partial: 5,
  /** Our bug. */
  internal: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code that a fault of this kind ends the program with. */
export function exitCodeOf(kind: FaultKind): ExitCode {
  return EXIT[kind];
}
