/** From an experiment file to what will be run: tasks found and opened, agents checked, one sandbox kind, digests. */
export { identityOf, staleGates, whyInvalid } from './compare-runs.js';
export { type Plan, type PlannedTask, planExperiment, stageBudgetMs } from './plan-experiment.js';
