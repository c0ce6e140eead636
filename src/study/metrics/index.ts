/** What runs come to: one file per metric, each a pure function of a run. */
export { assembleRunSets } from './assemble-run-sets.js';
export { chainGatePass } from './chain-gate-pass.js';
export { splitByPreviousGate } from './compare-previous-gate.js';
export { splitByCriteria } from './criteria-alignment.js';
export { firstStagePass } from './first-stage-pass.js';
export { distinctLines, type StudyFilter, selectLines } from './index-lines.js';
export type { Metric, MetricTable } from './metric.js';
export { metricTables } from './metric-tables.js';
export { nextStageF2p } from './next-stage-f2p.js';
export type { Run, RunSet } from './run.js';
export { splitBySelfTest } from './self-test.js';
export { type Tally, tallyRuns } from './tally.js';
export { type ConditionedStage, tallyWithinGroups } from './within-groups.js';
