import type { Suite } from '#documents/suite.js';
import { testId } from '#documents/test-identity.js';
import { reconcile, type SuiteRunResult } from '#testbed/index.js';
import type { DrawnTwin } from './draw-twins.js';
import type { Grading, TestOutcome } from './grading.js';

export interface RunOutcome {
  run: Suite['runs'][number];
  result: SuiteRunResult;
}

/** Worst first. */
const SEVERITY = ['forged', 'hang', 'crash', 'suite-aborted', 'compile', 'collect'] as const;

/** Holds what the runs reported against what the suite and its twins must come to. */
export function reduceResults(
  suite: Suite,
  twins: readonly DrawnTwin[],
  runs: readonly RunOutcome[],
): Pick<Grading, 'exitCode' | 'failure' | 'evidence' | 'timedOut' | 'tests' | 'twins' | 'tampering' | 'suspicions'> {
  const tests: TestOutcome[] = [];
  const outcomes: Grading['twins'] = [];
  const tampering: string[] = [];
  for (const { run, result } of runs) {
    const own = suite.tests.filter((test) => test.run === run.id);
    const ownTwins = twins.filter((twin) => twin.run === run.id);
    const states = new Map(result.targets.map((target) => [target.file, target.state]));
    const found = reconcile(
      [...own, ...ownTwins].map(({ key }) => key),
      result,
    );
    const byId = new Map(found.tests.map((test) => [test.id, test]));
    const outcomeOf = (id: string, key: string, file: string): TestOutcome => {
      const test = byId.get(key);
      return {
        id,
        status: test?.status ?? 'missing',
        durationMs: test?.result?.durationMs ?? null,
        message: test?.result?.message ?? null,
        fileEnded: states.get(file) === 'ran',
      };
    };
    for (const test of own) tests.push(outcomeOf(test.id, test.id, test.key.file));
    for (const twin of ownTwins)
      outcomes.push({ ...outcomeOf(twin.id, testId(twin.key), twin.file), name: twin.name, of: twin.of });
    for (const id of found.contradicted) tampering.push(`${id} was reported more than once`);
  }
  const codes = runs.map(({ result }) => result.exitCode);
  const evidence = runs.map(({ result }) => result.evidence).filter((text) => text !== null);
  return {
    exitCode: codes.includes(null) ? null : (codes.find((code) => code !== 0) ?? codes[0] ?? null),
    failure: SEVERITY.find((failure) => runs.some(({ result }) => result.failure === failure)) ?? null,
    evidence: evidence.length === 0 ? null : evidence.join('\n'),
    timedOut: runs.some(({ result }) => result.timedOut),
    tests,
    twins: outcomes,
    tampering,
    suspicions: [...new Set(runs.flatMap(({ result }) => result.suspicions))],
  };
}
