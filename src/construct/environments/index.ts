/** Prepares the environment: recipe from S_0's manifests, one content-addressed tree, no copy of the solution in it. */
export { detectRunner } from './detect-runner.js';
export { type EnvironmentRequest, type PreparedEnvironment, prepareEnvironment } from './prepare-environment.js';
export { type RestoreRequest, restoreEnvironment } from './restore-environment.js';
