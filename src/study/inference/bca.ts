import { type Bounds, contributors } from './bootstrap.js';
import { normalCumulative, normalQuantile } from './normal.js';
import { quantile } from './quantile.js';
import { type Ratio, ratioValue, resampleRatio } from './ratio.js';
import type { ResamplePlan } from './resample-plan.js';

/**
 * Bias-corrected and accelerated bootstrap interval of a ratio (Efron 1987): better than the percentile interval for
 * skewed figures, such as shares near 0 or 1. Null where the percentile interval is, or where resamples do not vary.
 */
export function bcaInterval(ratio: Ratio, plan: ResamplePlan, confidence: number): Bounds | null {
  const value = ratioValue(ratio);
  if (value === null || contributors(ratio) < 2) return null;
  const sorted = resampleRatio(ratio, plan)
    .filter((resampled) => !Number.isNaN(resampled))
    .sort();
  // Resamples of shares often tie with the estimate: half of the ties count as below it.
  const below = sorted.filter((resampled) => resampled < value).length;
  const ties = sorted.filter((resampled) => resampled === value).length;
  if (sorted.length === 0 || ties === sorted.length) return null;
  const bias = normalQuantile((below + ties / 2) / sorted.length);
  const speed = acceleration(ratio);
  if (!Number.isFinite(bias) || speed === null) return null;
  const edge = (share: number): number => {
    const z = bias + normalQuantile(share);
    return normalCumulative(bias + z / (1 - speed * z));
  };
  const low = quantile(sorted, edge((1 - confidence) / 2));
  const high = quantile(sorted, edge((1 + confidence) / 2));
  return low === null || high === null ? null : { low, high };
}

/** Skewness of the ratio's jackknife values, over six. */
function acceleration(ratio: Ratio): number | null {
  const values = ratio.denominators.flatMap((denominator, left) => {
    if (denominator === 0) return [];
    const without = ratioValue({
      numerators: ratio.numerators.map((numerator, unit) => (unit === left ? 0 : numerator)),
      denominators: ratio.denominators.map((other, unit) => (unit === left ? 0 : other)),
    });
    return without === null ? [] : [without];
  });
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (mean - value) ** 2, 0);
  const cubes = values.reduce((sum, value) => sum + (mean - value) ** 3, 0);
  return squares === 0 ? null : cubes / (6 * squares ** 1.5);
}
