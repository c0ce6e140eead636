import type { Validation } from '#documents/provenance.js';
import type { TreeFiles } from '#git/index.js';
import type { Progress } from '#kernel/events.js';
import { certain, Fault } from '#kernel/faults.js';
import { seededRandom, shuffled } from '#kernel/random.js';
import { assembleSuite, keysOf, type SuiteParts, testLives } from './assemble-suite.js';
import { type Classification, classifyTests } from './classify-tests.js';
import { type Observation, steadyStatus } from './observation.js';
import { type ObserveRequest, observeStates, testFilesOf } from './observe-states.js';
import { runOnTree } from './run-on-tree.js';
import { indexTestTexts } from './test-text-index.js';
import { validatedTwins } from './validate-twins.js';

export interface SuitesRequest extends Omit<ObserveRequest, 'scope'> {
  /** Titles of the stages, for messages. */
  titles: readonly string[];
  /** Test files that the stages themselves changed: always in scope. */
  changedTestFiles: ReadonlySet<string>;
  /** The whole suite is used where one run of it takes at most this long. */
  wholeSuiteMs: number;
}

export interface ExtractedSuites {
  stages: SuiteParts[];
  chain: SuiteParts;
  observations: Validation['observations'];
  scope: { kind: 'whole' | 'changed-and-sample'; files: number; why: string };
}

const SAMPLE_FILES = 40;

/**
 * Extracts the hidden suites: observes every state, classifies, quarantines, adds twins, assembles.
 * @throws Fault `stage-without-f2p` (input) naming the stage and what its tests did instead
 */
export async function extractSuites(request: SuitesRequest, progress: Progress): Promise<ExtractedSuites> {
  const { states, bench, titles } = request;
  const last = states.length - 1;
  const { scope, ...scopeFacts } = await chooseScope(request);
  const observations = await observeStates({ ...request, scope }, progress);
  const find = (testsOf: number, state: number): Observation =>
    certain(
      observations.find((held) => held.testsOf === testsOf && held.state === state),
      `observation ${testsOf} on ${state}`,
    );
  const own = states.map((_, index) => find(index, index));
  const textOf = await Promise.all(
    states.map((state) => indexTestTexts(bench.repository, state, keysOf(observations))),
  );
  const lives = testLives(own, textOf);

  const assemble = async (stage: number | 'chain', from: number, to: number): Promise<SuiteParts> => {
    const classification = classifyTests({
      before: find(from, from),
      across: find(to, from),
      after: find(to, to),
      textBefore: certain(textOf[from], 'texts'),
      textAfter: certain(textOf[to], 'texts'),
    });
    const title = stage === 'chain' ? 'the whole chain' : `stage ${stage} (${titles[stage] ?? ''})`;
    refuseWithoutF2p(title, classification, find(to, to), find(to, from));
    const state: TreeFiles = certain(states[to], 'state');
    return assembleSuite({
      bench,
      stage,
      stateIndex: to,
      state,
      files: testFilesOf(state, bench.runner, scope),
      isSuiteFile: request.isSuiteFile,
      classification,
      twins: await validatedTwins(bench, state, classification.tests),
      referenceSuspicions: [...find(to, to).suspicions].sort(),
      since: (id) => lives.since(id, to),
      validThrough: (id) => lives.validThrough(id, to),
    });
  };

  const stages: SuiteParts[] = [];
  for (let stage = 0; stage < last; stage += 1) stages.push(await assemble(stage, stage, stage + 1));
  const chain = await assemble('chain', 0, last);
  return { stages, chain, observations: recordOf(observations), scope: scopeFacts };
}

async function chooseScope(
  request: SuitesRequest,
): Promise<ExtractedSuites['scope'] & { scope: ReadonlySet<string> | null }> {
  const { bench, states } = request;
  const state = certain(states.at(-1), 'last state');
  const all = testFilesOf(state, bench.runner, null);
  const trial = await runOnTree({ ...bench, timeoutMs: request.wholeSuiteMs }, state, all, {
    order: { kind: 'listed' },
    clockDays: 0,
  });
  if (!trial.timedOut) {
    const passing = trial.tests.filter((test) => test.status === 'pass').length;
    if (passing === 0) {
      throw new Fault({
        code: 'tests-do-not-run',
        kind: 'input',
        message: `no test passes on the last reference state: ${all.length} test files, ${trial.tests.length} tests reported, ${trial.evidence ?? 'no further evidence'}`,
        hint: `The end of the runner's output: ${trial.output.toString('utf8').slice(-600)}`,
      });
    }
    return {
      scope: null,
      kind: 'whole',
      files: all.length,
      why: `one run takes ${Math.round(trial.durationMs / 1000)} s`,
    };
  }
  const random = seededRandom(`${request.seed}/scope`);
  const others = all.filter((path) => !request.changedTestFiles.has(path));
  const chosen = new Set([...request.changedTestFiles, ...shuffled(others, random).slice(0, SAMPLE_FILES)]);
  return {
    scope: chosen,
    kind: 'changed-and-sample',
    files: chosen.size,
    why: `one run of all ${all.length} files did not end within ${Math.round(trial.durationMs / 1000)} s`,
  };
}

function refuseWithoutF2p(
  title: string,
  classification: Classification,
  after: Observation,
  across: Observation,
): void {
  if (classification.tests.some((test) => test.kind === 'f2p')) return;
  const passing = [...after.tests.values()].filter((test) => steadyStatus(test) === 'pass').length;
  const already = [...across.tests.values()].filter((test) => steadyStatus(test) === 'pass').length;
  const failures = [...after.targets.values()].filter((target) => target.state !== 'ran');
  const shown = failures
    .slice(0, 3)
    .map((target) => `${target.file}: ${target.state} ${target.message?.split('\n')[0] ?? ''}`);
  throw new Fault({
    code: 'stage-without-f2p',
    kind: 'input',
    message: `${title}: no test fails before it and passes after it (${passing} pass after, ${already} of the same tests pass before, ${classification.quarantined.length} waver)${shown.length === 0 ? '' : `; ${shown.join('; ')}`}`,
    hint: 'Choose commits whose tests check the new behaviour, or join this stage with its neighbour.',
  });
}

function recordOf(observations: readonly Observation[]): Validation['observations'] {
  return observations.flatMap((observation) =>
    observation.repeats.map(({ order, seconds, clockDays }, repeat) => ({
      testsOf: observation.testsOf,
      state: observation.state,
      repeat,
      order,
      clockDays,
      seconds,
      results: Object.fromEntries(
        [...observation.tests].map(([id, test]) => [
          id,
          { status: test.statuses[repeat] ?? ('missing' as const), durationMs: test.durationMs },
        ]),
      ),
    })),
  );
}
