import { quantile } from './quantile.js';
import { type Ratio, ratioValue, resampleRatio } from './ratio.js';
import type { ResamplePlan } from './resample-plan.js';

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/**
 * Percentile bootstrap interval of a ratio over the plan's units (Efron and Tibshirani 1993, ch. 13).
 * Resamples in which nothing is counted are left out. Null where the ratio is undefined, or where fewer than two
 * units contribute: one task cannot say how much tasks differ.
 */
export function bootstrapInterval(ratio: Ratio, plan: ResamplePlan, confidence: number): Bounds | null {
  if (ratioValue(ratio) === null || contributors(ratio) < 2) return null;
  return percentileBounds(resampleRatio(ratio, plan), confidence);
}

/** The same for the difference of two ratios (left minus right), both seen on the same resampled units. */
export function bootstrapDifference(left: Ratio, right: Ratio, plan: ResamplePlan, confidence: number): Bounds | null {
  if (ratioValue(left) === null || ratioValue(right) === null) return null;
  if (contributors(left) < 2 || contributors(right) < 2) return null;
  const lefts = resampleRatio(left, plan);
  const rights = resampleRatio(right, plan);
  return percentileBounds(
    lefts.map((value, resample) => value - (rights[resample] ?? Number.NaN)),
    confidence,
  );
}

/** Units that contribute to a ratio. */
export function contributors({ denominators }: Ratio): number {
  return denominators.filter((denominator) => denominator > 0).length;
}

/** The middle `confidence` of resampled values; NaN values are left out. */
export function percentileBounds(values: Float64Array, confidence: number): Bounds | null {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const low = quantile(sorted, (1 - confidence) / 2);
  const high = quantile(sorted, (1 + confidence) / 2);
  return low === null || high === null ? null : { low, high };
}
