import type { FailureKind } from '#documents/results.js';
import type { TestStatus } from '#documents/test-identity.js';

/** What one test of the suite, or one twin, came to in one grading. */
export interface TestOutcome {
  /** Id in the suite; of a twin, its id there. */
  id: string;
  status: TestStatus;
  durationMs: number | null;
  message: string | null;
  /** Its file was run to its end, and the runner said so. */
  fileEnded: boolean;
}

export interface TwinOutcome extends TestOutcome {
  /** The name it ran under. */
  name: string;
  /** Id of the test it was made from. */
  of: string;
}

/** One run of a suite over a composed tree, reduced to what a verdict needs. It is data: it can be cached and read again. */
export interface Grading {
  seed: string;
  order: string;
  cached: boolean;
  exitCode: number | null;
  /** Why the suite as a whole did not speak; null where it did. Never `tests`. */
  failure: Exclude<FailureKind, 'tests'> | null;
  /** In words, what `failure` rests on. */
  evidence: string | null;
  timedOut: boolean;
  tests: TestOutcome[];
  twins: TwinOutcome[];
  /** What was tampered with so that no pass can be believed, in words. */
  tampering: string[];
  /** Signs of tampering that decide nothing by themselves, in words. */
  suspicions: string[];
  seconds: number;
}

/** Failures of single files that leave the rest of the suite its say. */
export const PER_FILE_FAILURES: ReadonlySet<string> = new Set(['compile', 'collect']);
