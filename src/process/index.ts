/** Starts and ends programs: process groups, timeouts, output caps. The only room that spawns. */
export { hostVariable, plainEnvironment } from './environment.js';
export {
  type ProcessRequest,
  type ProcessResult,
  type RunningProcess,
  runProcess,
  startProcess,
} from './run.js';
