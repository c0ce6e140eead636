import type { Observation } from './metric.js';
import type { Run } from './run.js';

/** What was counted, by task: the form that resampling over tasks needs. */
export interface Tally {
  /** Weighted sum of observations, one place per task. */
  readonly numerators: readonly number[];
  /** Weighted number of observations, one place per task. */
  readonly denominators: readonly number[];
  /** Plain sum of observations, every attempt counting once. */
  readonly sum: number;
  /** Plain number of observations. */
  readonly of: number;
  /** Observations left out because their verdict is unknown. */
  readonly unknown: number;
}

/**
 * Counts finished runs. With several attempts, each observation weighs 1 / finished attempts of its agent at its task.
 * @param tasks names in the order of the tally's places
 */
export function tallyRuns(
  runs: readonly Run[],
  tasks: readonly string[],
  observe: (run: Run) => readonly Observation[],
): Tally {
  const places = new Map(tasks.map((task, place) => [task, place]));
  const numerators = new Array<number>(tasks.length).fill(0);
  const denominators = new Array<number>(tasks.length).fill(0);
  let sum = 0;
  let of = 0;
  let unknown = 0;
  for (const run of runs) {
    const place = places.get(run.task);
    if (run.unfinished !== null || place === undefined) continue;
    for (const observation of observe(run)) {
      if (observation === null) {
        unknown += 1;
        continue;
      }
      sum += observation;
      of += 1;
      numerators[place] = (numerators[place] ?? 0) + run.weight * observation;
      denominators[place] = (denominators[place] ?? 0) + run.weight;
    }
  }
  return { numerators, denominators, sum, of, unknown };
}
