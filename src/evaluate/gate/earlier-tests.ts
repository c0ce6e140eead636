import type { TreeFiles } from '#git/index.js';
import type { PlainFile, SuiteFiles } from '#store/index.js';
import { composeTree } from './compose-tree.js';
import type { ControlParts } from './control-grading.js';
import type { Grading, TestOutcome } from './grading.js';
import { type GradingOrder, type GradingPlace, type RanGrading, runGrading } from './run-grading.js';

export interface EarlierParts extends ControlParts {
  request: ControlParts['request'] & { snapshotTree: string };
}

/**
 * Where hidden files do not compile or load on the agent's code, the P2P tests in them have had no say. They are run once
 * more as they were before the stage (for the chain: before all stages), in files that existed then.
 * @returns the grading with those tests' outcomes in place
 */
export async function rerunWithEarlierTests(
  place: GradingPlace,
  parts: EarlierParts,
  order: GradingOrder,
  ran: RanGrading,
): Promise<RanGrading> {
  const before = parts.request.stage === 'chain' ? parts.states[0] : parts.states.at(-2);
  const unheard = new Set(ran.silentFiles.filter((path) => before?.has(path)));
  const tests = order.suite.tests.filter((test) => test.kind === 'p2p' && unheard.has(test.key.file));
  if (before === undefined || tests.length === 0) return ran;
  const suite = {
    ...order.suite,
    tests,
    twins: [],
    runs: order.suite.runs
      .map((run) => ({ ...run, files: run.files.filter((file) => unheard.has(file)) }))
      .filter((run) => run.files.length > 0),
  };
  const composed = await composeTree({
    ...{ repository: place.repository, suite, states: parts.states, installed: [] },
    snapshot: await place.repository.files(parts.request.snapshotTree),
    files: await earlierFiles(place, parts, before),
  });
  const again = await runGrading(place, { ...order, suite, tree: composed.files, twins: [] });
  return {
    grading: joinGradings(ran.grading, again.grading),
    output: Buffer.concat([ran.output, Buffer.from('\n== P2P with the tests of the stage before ==\n'), again.output]),
    repeatable: ran.repeatable && again.repeatable,
    silentFiles: ran.silentFiles,
  };
}

/** The files that the suite lays over, as they were in an earlier state. */
async function earlierFiles(place: GradingPlace, parts: EarlierParts, before: TreeFiles): Promise<SuiteFiles> {
  const files = await parts.request.package.suiteFiles(parts.request.stage);
  const aside = parts.suite.setAside.map((pattern) => new RegExp(pattern));
  const tests = new Map<string, PlainFile>();
  for (const [path, file] of before) {
    const isSuites = files.tests.has(path) || aside.some((pattern) => pattern.test(path));
    if (!isSuites || file.mode === '120000' || file.mode === '160000') continue;
    tests.set(path, { executable: file.mode === '100755', content: await place.repository.readBlob(file.oid) });
  }
  return { tests, manifests: files.manifests };
}

function joinGradings(first: Grading, again: Grading): Grading {
  const renewed = new Map<string, TestOutcome>(again.tests.map((test) => [test.id, test]));
  return {
    ...first,
    tests: first.tests.map((test) => renewed.get(test.id) ?? test),
    tampering: [...first.tampering, ...again.tampering],
    timedOut: first.timedOut || again.timedOut,
    seconds: first.seconds + again.seconds,
  };
}
