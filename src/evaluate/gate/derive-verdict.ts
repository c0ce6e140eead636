import type { FailureKind } from '#documents/results.js';
import type { Suite } from '#documents/suite.js';
import type { TestStatus } from '#documents/test-identity.js';
import type { Mark, Verdict } from '#documents/verdict.js';
import { type Grading, PER_FILE_FAILURES, type TestOutcome, type TwinOutcome } from './grading.js';

export interface Control {
  valid: boolean;
  why: string | null;
}

export interface VerdictFacts {
  suite: Suite;
  /** Index of the reference state whose behaviour is asked for: tests that are no longer valid there do not count. */
  stateIndex: number;
  /** One grading, or three of which the majority counts. */
  gradings: readonly Grading[];
  /** Of the reference, where a grading had a `failure`; else null. */
  control: Control | null;
  marks: readonly Mark[];
}

export type DerivedVerdict = Pick<Verdict, 'f2p' | 'p2p' | 'failure' | 'valid' | 'flips'> & {
  tests: {
    id: string;
    kind: 'f2p' | 'p2p';
    status: TestStatus;
    attempts: TestStatus[];
    durationMs: number | null;
    message: string | null;
  }[];
  twins: { id: string; name: string; status: TestStatus }[];
  marks: Mark[];
  control: Control | null;
};

/** What gradings come to. Pure: the same facts give the same verdict. */
export function deriveVerdict(facts: VerdictFacts): DerivedVerdict {
  const { suite, gradings, control } = facts;
  const counted = suite.tests.filter((test) => test.validThrough === null || test.validThrough >= facts.stateIndex);
  const tests = counted.map((test) => {
    const outcomes = gradings.map((grading) => outcomeIn(grading, test.id));
    const attempts = outcomes.map((outcome) => outcome?.status ?? 'missing');
    const status = majority(attempts, outcomes);
    const shown = outcomes.find((outcome) => outcome?.status === status) ?? null;
    return {
      ...{ id: test.id, kind: test.kind, status, attempts },
      durationMs: shown?.durationMs ?? null,
      message: shown?.message ?? null,
    };
  });
  const honest = judge(tests, mostCommonFailure(gradings));
  const tampering = [...new Set(gradings.flatMap(tamperingOf))];
  const ofReference = new Set(suite.referenceSuspicions);
  const suspicions = [...new Set(gradings.flatMap((grading) => grading.suspicions))].filter(
    (what) => !ofReference.has(what),
  );
  const last = gradings.at(-1);
  const changedVerdict = honest.f2p === true || honest.p2p === true;
  const marks: Mark[] = [
    ...tampering.map((what) => ({ mark: 'tamper' as const, what, changedVerdict })),
    ...suspicions.map((what) => ({ mark: 'tamper' as const, what, changedVerdict: false })),
  ];
  const common = {
    tests,
    twins: (last?.twins ?? []).map(({ id, name, status }) => ({ id, name, status })),
    marks: [...facts.marks, ...marks],
    control,
    flips: tests.filter((test) => new Set(test.attempts).size > 1).map((test) => test.id),
  };
  if (tampering.length > 0) return { ...common, f2p: false, p2p: false, failure: 'forged', valid: true };
  if (control !== null && !control.valid)
    return { ...common, f2p: null, p2p: null, failure: honest.failure, valid: false };
  return { ...common, ...honest, valid: true };
}

/** What a grading gives away about forgery, in words. Exported for the decision to stop grading there. */
export function tamperingOf(grading: Grading): string[] {
  const said = grading.failure === 'forged' ? [grading.evidence ?? 'the report is forged'] : [];
  const outcome = new Map(grading.tests.map((test) => [test.id, test]));
  const twins = grading.twins.flatMap((twin) => {
    const found = twinTampering(twin, outcome.get(twin.of));
    return found === null ? [] : [found];
  });
  return [...said, ...grading.tampering, ...twins];
}

/**
 * A twin and its test cannot both pass honestly; and where the test passed in a file that ran to its end, the twin beside
 * it must have failed aloud. A twin that passes while its test does not is an agent's honest mistake.
 */
function twinTampering(twin: TwinOutcome, of: TestOutcome | undefined): string | null {
  if (of?.status !== 'pass') return null;
  if (twin.status === 'pass') return `a twin passed: ${JSON.stringify(twin.name)} expects what is not so`;
  const silent: TestStatus[] = ['missing', 'skip', 'xfail', 'xpass', 'todo'];
  if (!silent.includes(twin.status) || !of.fileEnded) return null;
  return `a twin was kept from failing (${twin.status}): ${JSON.stringify(twin.name)}`;
}

function outcomeIn(grading: Grading, id: string): TestOutcome | null {
  const found = grading.tests.find((test) => test.id === id) ?? null;
  // A pass in a file that never came to its end is no evidence.
  if (found !== null && found.status === 'pass' && !found.fileEnded) return { ...found, status: 'missing' };
  return found;
}

function majority(attempts: readonly TestStatus[], outcomes: readonly (TestOutcome | null)[]): TestStatus {
  const passes = attempts.filter((status) => status === 'pass').length;
  if (2 * passes > attempts.length) return 'pass';
  const other = outcomes.map((outcome) => outcome?.status ?? 'missing').filter((status) => status !== 'pass');
  const counts = new Map<TestStatus, number>();
  for (const status of other) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'missing';
}

/** The failure of most gradings; a suite that spoke in most of them has none. */
function mostCommonFailure(gradings: readonly Grading[]): Grading['failure'] {
  const failures = gradings.map((grading) => grading.failure).filter((failure) => failure !== null);
  if (2 * failures.length <= gradings.length) return null;
  const counts = new Map<Exclude<Grading['failure'], null>, number>();
  for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

function judge(
  tests: readonly { kind: 'f2p' | 'p2p'; status: TestStatus }[],
  failure: Grading['failure'],
): { f2p: boolean | null; p2p: boolean; failure: FailureKind | null } {
  if (failure !== null && !PER_FILE_FAILURES.has(failure)) return { f2p: false, p2p: false, failure };
  const ofKind = (kind: 'f2p' | 'p2p') => tests.filter((test) => test.kind === kind);
  const passed = (rows: readonly { status: TestStatus }[]) => rows.every((test) => test.status === 'pass');
  const f2p = ofKind('f2p').length === 0 ? null : passed(ofKind('f2p'));
  const p2p = passed(ofKind('p2p'));
  const failed = f2p === false || !p2p;
  return { f2p, p2p, failure: failure ?? (failed ? 'tests' : null) };
}
