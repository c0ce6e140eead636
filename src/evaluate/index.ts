/** Act two: agents work through tasks stage by stage, hidden gates judge what they leave. */
export type { CheckReport, Finding } from './admission/index.js';
export { type CheckRequest, checkTask } from './check-task.js';
export { type RegradeReport, type RegradeRequest, type RenewedGate, regradeRuns } from './regrade-runs.js';
export { type ExperimentReport, type ExperimentRequest, runExperiment } from './run-experiment.js';
export type { FaultPoint, GradeSnapshot, RunReport, Stop } from './run-request.js';
