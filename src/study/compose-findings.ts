import type { Findings } from '#documents/findings.js';
import type { ResultsRead } from '#documents/read-results.js';
import { Fault } from '#kernel/faults.js';
import { seededRandom } from '#kernel/random.js';
import type { Inference } from './figures.js';
import { planResamples } from './inference/index.js';
import { measureRunSet } from './measure-run-set.js';
import { assembleRunSets, distinctLines, type StudyFilter, selectLines } from './metrics/index.js';

export interface StudySettings {
  /** Runs of one seed give the same intervals to the last digit. */
  readonly seed: number;
  /** Bootstrap resamples; the paper uses 4,000. */
  readonly resamples: number;
  /** Of the intervals, e.g. 0.95. */
  readonly confidence: number;
  readonly method: Inference['method'];
  readonly filter: StudyFilter;
}

export const STUDY_DEFAULTS: StudySettings = {
  seed: 1,
  resamples: 4000,
  confidence: 0.95,
  method: 'bootstrap',
  filter: {},
};

/** Cells that rest on fewer stages or runs are marked. */
const FEW_BELOW = 20;

/** Beyond it the plan of a large set would not fit into memory, and no digit that is printed would change. */
const MOST_RESAMPLES = 100_000;

/**
 * From results to findings. Pure: the same lines, in any order, give the same findings.
 * @throws Fault `results-conflict`, `results-stage-beyond-chain`, `results-without-length`, `results-empty` (input),
 * `study-settings` (usage)
 */
export function composeFindings(reads: readonly ResultsRead[], settings: StudySettings): Findings {
  checkSettings(settings);
  const { lines, repeated } = distinctLines(reads.flatMap((read) => read.lines));
  const sets = assembleRunSets(selectLines(lines, settings.filter));
  if (sets.length === 0) throw nothingToStudy(reads, settings.filter);
  return {
    sources: reads.map(({ where, lines: read, torn }) => ({ where, lines: read.length, torn })),
    seed: settings.seed,
    resamples: settings.resamples,
    confidence: settings.confidence,
    method: settings.method,
    fewBelow: FEW_BELOW,
    notices: [
      ...reads.flatMap(({ where, torn }) =>
        torn === null ? [] : [`${where}: line ${torn.line} is torn (${torn.bytes} bytes, no end) and was left out.`],
      ),
      ...(repeated > 0 ? [`${repeated} lines say again what an earlier line said; each counts once.`] : []),
    ],
    conditions: sets.map((set) =>
      measureRunSet(set, {
        plan: planResamples(set.tasks.length, settings.resamples, seededRandom(`${settings.seed}/study/tasks`)),
        confidence: settings.confidence,
        method: settings.method,
        fewBelow: FEW_BELOW,
      }),
    ),
  };
}

function checkSettings({ seed, resamples, confidence }: StudySettings): void {
  const wrong = !Number.isSafeInteger(seed)
    ? `seed ${seed} is not a whole number`
    : !Number.isSafeInteger(resamples) || resamples < 1 || resamples > MOST_RESAMPLES
      ? `resamples ${resamples} is not a whole number from 1 to ${MOST_RESAMPLES}`
      : !(confidence > 0 && confidence < 1)
        ? `confidence ${confidence} is not between 0 and 1`
        : null;
  if (wrong === null) return;
  throw new Fault({
    code: 'study-settings',
    kind: 'usage',
    message: `cannot make intervals: ${wrong}`,
    hint: 'The defaults are 4000 resamples, confidence 0.95, seed 1.',
  });
}

function nothingToStudy(reads: readonly ResultsRead[], filter: StudyFilter): Fault {
  const chosen = Object.entries(filter).map(([field, value]) => `${field} ${JSON.stringify(value)}`);
  return new Fault({
    code: 'results-empty',
    kind: 'input',
    message: `${reads.map((read) => read.where).join(', ')}: no stage or chain line${chosen.length > 0 ? ` with ${chosen.join(', ')}` : ''}`,
    hint: 'Run an experiment first, or choose another experiment, level or mode.',
  });
}
