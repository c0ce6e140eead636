import type { Suite } from '#documents/suite.js';
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
 * Where hidden files do not compile or load on the agent's code, the P2P tests in them have had no say. They are run again
 * as they were in the state before the stage, and where that does not load either, in the states before it.
 * @returns the grading with those tests' outcomes in place
 */
export async function rerunWithEarlierTests(
  place: GradingPlace,
  parts: EarlierParts,
  order: GradingOrder,
  ran: RanGrading,
): Promise<RanGrading> {
  let joined = ran;
  let silent = new Set(ran.silentFiles);
  for (const before of parts.states.slice(0, -1).reverse()) {
    const files = new Set([...silent].filter((path) => before.has(path)));
    const unheard = new Set(
      joined.grading.tests.filter((test) => test.status !== 'pass' && !test.fileEnded).map(({ id }) => id),
    );
    const tests = order.suite.tests.filter(
      (test) => test.kind === 'p2p' && files.has(test.key.file) && unheard.has(test.id),
    );
    if (tests.length === 0) continue;
    const again = await runEarlier({ place, parts, order, before, files, tests });
    joined = { ...joined, ...joinRan(joined, again) };
    silent = new Set(again.silentFiles);
  }
  return joined;
}

interface EarlierRun {
  place: GradingPlace;
  parts: EarlierParts;
  order: GradingOrder;
  before: TreeFiles;
  files: ReadonlySet<string>;
  tests: Suite['tests'];
}

async function runEarlier({ place, parts, order, before, files, tests }: EarlierRun): Promise<RanGrading> {
  const runs = order.suite.runs
    .map((run) => ({ ...run, files: run.files.filter((file) => files.has(file)) }))
    .filter((run) => run.files.length > 0);
  const suite = { ...order.suite, tests, twins: [], runs };
  const composed = await composeTree({
    ...{ repository: place.repository, suite, states: parts.states, installed: [] },
    snapshot: await place.repository.files(parts.request.snapshotTree),
    files: await earlierFiles(place, parts, before),
  });
  return runGrading(place, { ...order, suite, tree: composed.files, twins: [] });
}

function joinRan(ran: RanGrading, again: RanGrading): Pick<RanGrading, 'grading' | 'output' | 'repeatable'> {
  return {
    grading: joinGradings(ran.grading, again.grading),
    output: Buffer.concat([ran.output, Buffer.from('\n== P2P with the tests of an earlier stage ==\n'), again.output]),
    repeatable: ran.repeatable && again.repeatable,
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
    tests: first.tests.map((test) => {
      const later = renewed.get(test.id);
      return later === undefined || later.status === 'missing' ? test : later;
    }),
    // A twin that could not load beside its test says nothing of the test as it was before.
    twins: first.twins.filter((twin) => !renewed.has(twin.of)),
    tampering: [...first.tampering, ...again.tampering],
    suspicions: [...new Set([...first.suspicions, ...again.suspicions])],
    timedOut: first.timedOut || again.timedOut,
    seconds: first.seconds + again.seconds,
  };
}
