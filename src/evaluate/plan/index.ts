/** From an experiment file to what will be run: tasks found and opened, agents checked, one sandbox kind, digests. */
export { identityOf, staleGates, whyInvalid } from './compare-runs.js';
export {
  limitsOf,
  type Plan,
  type PlannedTask,
  planExperiment,
  plannedTask,
  stageBudgetMs,
} from './plan-experiment.js';
