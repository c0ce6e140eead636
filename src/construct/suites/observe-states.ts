import { type RunnerName, testId } from '#documents/test-identity.js';
import type { TreeFiles } from '#git/index.js';
import { mapLimited } from '#kernel/async.js';
import type { Progress } from '#kernel/events.js';
import { runnerNamed, type SuiteRunResult, type TestOrder } from '#testbed/index.js';
import { neededObservations, type Observation } from './observation.js';
import { runOnTree, type SuiteBench } from './run-on-tree.js';

export interface ObserveRequest {
  bench: SuiteBench;
  /** Files of S_0..S_n. */
  states: readonly TreeFiles[];
  /** Belongs to the suite: hidden tests, fixtures, helpers, runner configuration. */
  isSuiteFile(path: string): boolean;
  /** Limits the suite to these test files; null for all. */
  scope: ReadonlySet<string> | null;
  repeats: number;
  seed: string;
  /** Suite runs at a time. More than one puts the tests under load. */
  parallel: number;
}

/** The tree of one observation: code of one state, suite files of another. */
export function composeObserved(code: TreeFiles, tests: TreeFiles, isSuiteFile: (path: string) => boolean): TreeFiles {
  const composed: TreeFiles = new Map();
  for (const [path, file] of code) if (!isSuiteFile(path)) composed.set(path, file);
  for (const [path, file] of tests) if (isSuiteFile(path)) composed.set(path, file);
  return composed;
}

/** Test files of a tree that the runner takes by its conventions, sorted, inside the scope. */
export function testFilesOf(tree: TreeFiles, runner: RunnerName, scope: ReadonlySet<string> | null): string[] {
  const { testFilePatterns } = runnerNamed(runner);
  return [...tree]
    .filter(
      ([path, file]) =>
        file.mode !== '120000' && testFilePatterns.some((pattern) => pattern.test(path)) && (scope?.has(path) ?? true),
    )
    .map(([path]) => path)
    .sort();
}

/** How the k-th repeat runs: as listed; backwards; shuffled with the clock 400 days ahead; then further shuffles. */
export function repeatPlan(repeat: number, seed: string): { order: TestOrder; clockDays: number } {
  if (repeat === 0) return { order: { kind: 'listed' }, clockDays: 0 };
  if (repeat === 1) return { order: { kind: 'reversed' }, clockDays: 0 };
  return { order: { kind: 'shuffled', seed: `${seed}/${repeat}` }, clockDays: repeat === 2 ? 400 : 0 };
}

/** Makes every needed observation, each tree and suite once per repeat. */
export async function observeStates(request: ObserveRequest, progress: Progress): Promise<Observation[]> {
  const { states, bench, scope, isSuiteFile, repeats, seed } = request;
  const pairs = neededObservations(states.length - 1);
  const jobs = pairs.flatMap((pair) => Array.from({ length: repeats }, (_, repeat) => ({ pair, repeat })));
  const step = 'observing tests';
  progress({ kind: 'step-started', step, total: jobs.length, unit: 'suite runs' });
  let done = 0;
  const results = await mapLimited(jobs, request.parallel, async ({ pair, repeat }) => {
    const tests = states[pair.testsOf] ?? new Map();
    const tree = composeObserved(states[pair.state] ?? new Map(), tests, isSuiteFile);
    const files = testFilesOf(tests, bench.runner, scope);
    const how = repeatPlan(repeat, `${seed}/${pair.testsOf}/${pair.state}`);
    const result = files.length === 0 ? null : await runOnTree(bench, tree, files, how);
    done += 1;
    progress({
      kind: 'step-advanced',
      step,
      done,
      total: jobs.length,
      note: `tests of S_${pair.testsOf} on S_${pair.state}`,
    });
    return { result, how };
  });
  progress({ kind: 'step-ended', step, note: null });
  return pairs.map((pair, index) => gather(pair, results.slice(index * repeats, (index + 1) * repeats)));
}

function gather(
  pair: { testsOf: number; state: number },
  runs: readonly { result: SuiteRunResult | null; how: { order: TestOrder; clockDays: number } }[],
): Observation {
  const observation: Observation = {
    ...pair,
    tests: new Map(),
    targets: new Map(),
    suspicions: new Set(runs.flatMap(({ result }) => result?.suspicions ?? [])),
    repeats: [],
  };
  runs.forEach(({ result, how }, repeat) => {
    const order = how.order.kind === 'shuffled' ? `shuffled:${how.order.seed}` : how.order.kind;
    const seconds = (result?.durationMs ?? 0) / 1000;
    observation.repeats.push({
      order,
      clockDays: how.clockDays,
      seconds,
      failure: result?.failure ?? null,
      evidence: result?.evidence ?? null,
    });
    for (const test of result?.tests ?? []) {
      const id = testId(test.key);
      const seen = observation.tests.get(id) ?? { key: test.key, raw: test.raw, statuses: [], durationMs: null };
      // A test that an earlier repeat did not report was missing there.
      while (seen.statuses.length < repeat) seen.statuses.push('missing');
      seen.statuses.push(test.status);
      seen.durationMs = Math.max(seen.durationMs ?? 0, test.durationMs ?? 0);
      observation.tests.set(id, seen);
    }
    for (const seen of observation.tests.values())
      while (seen.statuses.length < repeat + 1) seen.statuses.push('missing');
    if (repeat === 0) for (const target of result?.targets ?? []) observation.targets.set(target.file, target);
  });
  return observation;
}
