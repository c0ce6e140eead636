import type { Comparison, Figure, Interval } from '#documents/findings.js';
import {
  bcaInterval,
  bootstrapDifference,
  bootstrapInterval,
  contributors,
  type Ratio,
  type ResamplePlan,
  ratioValue,
  wilsonInterval,
} from './inference/index.js';

/** How intervals are made in one study. */
export interface Inference {
  readonly plan: ResamplePlan;
  readonly confidence: number;
  readonly method: 'bootstrap' | 'bca';
  /** Figures that rest on fewer are marked. */
  readonly fewBelow: number;
}

/** What was counted: a ratio by task, with its plain counts. */
export interface Counted extends Ratio {
  readonly sum: number;
  readonly of: number;
  readonly unknown: number;
}

/** A counted thing as a figure with its interval. */
export function figureOf(counted: Counted, inference: Inference): Figure {
  return {
    value: ratioValue(counted),
    sum: counted.sum,
    of: counted.of,
    tasks: contributors(counted),
    unknown: counted.unknown,
    interval: intervalOf(counted, inference),
    few: counted.of > 0 && counted.of < inference.fewBelow,
  };
}

/** Left minus right, paired by task. */
export function differenceOf(left: Ratio, right: Ratio, { plan, confidence }: Inference): Comparison['difference'] {
  const a = ratioValue(left);
  const b = ratioValue(right);
  const bounds = bootstrapDifference(left, right, plan, confidence);
  return {
    value: a === null || b === null ? null : a - b,
    interval: bounds === null ? null : { ...bounds, method: 'bootstrap' },
    tasks: left.denominators.filter((count, task) => count > 0 && (right.denominators[task] ?? 0) > 0).length,
  };
}

/**
 * The interval of a share. Where every task is at 0, or every task at 1, resampling sees no variation and would claim
 * certainty: there the Wilson interval stands in, with the number of tasks as its n.
 */
function intervalOf(ratio: Ratio, { plan, confidence, method }: Inference): Interval | null {
  const value = ratioValue(ratio);
  if (value === null) return null;
  if (value === 0 || value === 1) {
    const tasks = contributors(ratio);
    const bounds = wilsonInterval(value * tasks, tasks, confidence);
    return bounds === null ? null : { ...bounds, method: 'wilson' };
  }
  const corrected = method === 'bca' ? bcaInterval(ratio, plan, confidence) : null;
  if (corrected !== null) return { ...corrected, method: 'bca' };
  const bounds = bootstrapInterval(ratio, plan, confidence);
  return bounds === null ? null : { ...bounds, method: 'bootstrap' };
}
