import type { TestKey, TestStatus } from '#documents/test-identity.js';
import type { TargetResult } from '#testbed/index.js';

/** One test in one observation: its status in every repeat, in order. */
export interface ObservedTest {
  key: TestKey;
  raw: string;
  statuses: TestStatus[];
  durationMs: number | null;
}

/** Tests of one reference state run on the code of another (or the same), repeated. */
export interface Observation {
  /** Index into S_0..S_n of the state whose tests ran, and of the state whose code they ran on. */
  testsOf: number;
  state: number;
  /** By test id. */
  tests: Map<string, ObservedTest>;
  /** Per test file, as the first repeat saw it. */
  targets: Map<string, TargetResult>;
  /** What the grader would find suspicious here, in any repeat. */
  suspicions: Set<string>;
  repeats: { order: string; clockDays: number; seconds: number; failure: string | null; evidence: string | null }[];
}

/** The status in all repeats where they agree; null where the test wavers or was not seen at all. */
export function steadyStatus(test: ObservedTest | undefined): TestStatus | null {
  const first = test?.statuses[0];
  if (test === undefined || first === undefined) return null;
  return test.statuses.every((status) => status === first) ? first : null;
}

/** The pairs (tests of, code of) that n stages need: 2n+1 for the stages, one more for the chain where n > 1. */
export function neededObservations(stages: number): { testsOf: number; state: number }[] {
  const pairs: { testsOf: number; state: number }[] = [];
  for (let index = 0; index <= stages; index += 1) pairs.push({ testsOf: index, state: index });
  for (let index = 0; index < stages; index += 1) pairs.push({ testsOf: index + 1, state: index });
  if (stages > 1) pairs.push({ testsOf: stages, state: 0 });
  return pairs;
}
