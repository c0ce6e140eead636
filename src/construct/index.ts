/** Act one: from commits of a repository's history to a task package. */
export { pickChain, readChains, spanOf } from './catalogue/index.js';
export { chainPart, locateChain, type StageRange } from './chain-part.js';
export { type ChainsOutcome, type ChainsRequest, constructChains } from './construct-chains.js';
export type { ConstructReport, ConstructRequest, SpecMaterial, SpecWriter, StageSpec } from './construct-request.js';
export { constructTask } from './construct-task.js';
export { type RestoreRequest, restoreEnvironment } from './environments/index.js';
export { funnelOf } from './funnel-of.js';
export { mineChains } from './mine-chains.js';
export type { MineReport, MineRequest } from './mine-request.js';
export { ruleSpecWriter } from './rule-spec-writer.js';
export { scanTaskSpecs } from './scan-task-specs.js';
export type { AdmissionVerdict } from './try-window.js';
