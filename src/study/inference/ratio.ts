import type { ResamplePlan } from './resample-plan.js';

/** A ratio of sums over units: a share, or a mean. One place per unit (task); a unit that contributes nothing is 0 / 0. */
export interface Ratio {
  readonly numerators: readonly number[];
  readonly denominators: readonly number[];
}

/** The ratio itself; null where nothing was counted. */
export function ratioValue({ numerators, denominators }: Ratio): number | null {
  let top = 0;
  let bottom = 0;
  for (let unit = 0; unit < denominators.length; unit += 1) {
    top += numerators[unit] ?? 0;
    bottom += denominators[unit] ?? 0;
  }
  return bottom === 0 ? null : top / bottom;
}

/** The ratio in every resample of the plan; NaN where a resample drew nothing to count. */
export function resampleRatio(ratio: Ratio, plan: ResamplePlan): Float64Array {
  const top = Float64Array.from(ratio.numerators);
  const bottom = Float64Array.from(ratio.denominators);
  const values = new Float64Array(plan.resamples);
  let place = 0;
  for (let resample = 0; resample < plan.resamples; resample += 1) {
    let topSum = 0;
    let bottomSum = 0;
    for (const end = place + plan.units; place < end; place += 1) {
      const unit = plan.draws[place] ?? 0;
      topSum += top[unit] ?? 0;
      bottomSum += bottom[unit] ?? 0;
    }
    values[resample] = bottomSum === 0 ? Number.NaN : topSum / bottomSum;
  }
  return values;
}
