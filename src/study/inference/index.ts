/** How sure a figure is: seeded resampling over tasks, Wilson intervals, rank correlation. */
export { bcaInterval } from './bca.js';
export { bootstrapDifference, bootstrapInterval, contributors } from './bootstrap.js';
export { quantiles } from './quantile.js';
export { type Ratio, ratioValue } from './ratio.js';
export { planResamples, type ResamplePlan } from './resample-plan.js';
export { spearman } from './spearman.js';
export { wilsonInterval } from './wilson.js';
