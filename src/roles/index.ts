/** Roles of the pipeline played by a language model: one client, structured answers that are checked, cost and transcript. */
export type { Role, RoleCost, RoleResult, TranscriptEntry } from './contract.js';
export type { ModelApi, ModelSettings } from './model/model-contract.js';
export { type AskedModel, readModelSettings } from './model/read-model-settings.js';
export { type ModelRoleDefinition, roleByModel } from './role-by-model.js';
