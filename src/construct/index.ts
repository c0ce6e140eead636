/** Act one: from commits of a repository's history to a task package. */
export type { ConstructReport, ConstructRequest, SpecMaterial, SpecWriter, StageSpec } from './construct-request.js';
export { constructTask } from './construct-task.js';
export { type RestoreRequest, restoreEnvironment } from './environments/index.js';
export { ruleSpecWriter } from './rule-spec-writer.js';
export { scanTaskSpecs } from './scan-task-specs.js';
