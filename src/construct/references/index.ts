/** Step 3: checks a chain named commit by commit and rebuilds the code before and after each of its stages. */
export { assertStates, requireRightStates } from './assert-states.js';
export { findWindow, judgeStages, type StageWindow, type StatesRefusal } from './find-window.js';
export type { PatchRole, PatchVerdict } from './patch-role.js';
export { readStages, type StagesRequest } from './read-stages.js';
export {
  attemptStates,
  type RebuildOutcome,
  type ReferenceState,
  type ReferenceStates,
  rebuildStates,
} from './rebuild-states.js';
export { type DistinctiveLine, distinctiveLines, referencePatch } from './reference-patch.js';
export type { RemovalConflict, RemovalRow } from './remove-patch.js';
export type { Overlap, Resolution, Resolver } from './resolver.js';
export type { HistoryStep, PathChange, PathEntry, Stage, StageCommit, Stages } from './stages.js';
export type { StateAssertion } from './state-assertion.js';
