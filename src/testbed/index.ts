/** Runs test suites over whole files in a sandbox and tells, test by test, what happened; opens the sandbox for it. */
export type {
  RunFailure,
  Runner,
  SuiteRunRequest,
  SuiteRunResult,
  TargetResult,
  TestOrder,
  TestResult,
} from './contract.js';
export { openWorkspaceSandbox, type WorkspaceSandboxRequest } from './open-workspace-sandbox.js';
export { type Reconciled, reconcile } from './reconcile.js';
export { runnerNamed } from './registry.js';
