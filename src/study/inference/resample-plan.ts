import type { Random } from '#kernel/random.js';

/**
 * Which units (tasks) each resample draws. One plan serves every figure of a report, so that all of them are
 * paired: agent A and agent B are seen on the same resampled tasks.
 */
export interface ResamplePlan {
  readonly units: number;
  readonly resamples: number;
  /** `resamples` rows of `units` unit numbers, drawn with replacement. */
  readonly draws: Uint32Array;
}

/** Draws a plan. The same seed gives the same plan on every machine. */
export function planResamples(units: number, resamples: number, random: Random): ResamplePlan {
  const draws = new Uint32Array(units * resamples);
  for (let place = 0; place < draws.length; place += 1) draws[place] = random.below(units);
  return { units, resamples, draws };
}
