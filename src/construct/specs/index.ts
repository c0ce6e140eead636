/** Step 5: writes requirement and contract of a stage by rule, and scans what hidden tests need and what specs give away. */
export type { ContractEntry, EntryKind, SpecText, StageMaterial, StageTest, WorkspaceNames } from './material.js';
export type { Giveaway } from './scan-giveaways.js';
export type { MissingName } from './scan-identifiers.js';
export { collectWorkspaceNames } from './workspace-names.js';
export { type WrittenContract, writeContract } from './write-contract.js';
export { scanSpec, type WrittenSpec, writeSpec } from './write-spec.js';
