/** An agent's places: its workspace made from the task, snapshots of it, checkpoints to resume from, the reference's hand. */
export { makeCheckpoint, pruneCheckpoints, restoreCheckpoint } from './checkpoints.js';
export { type LivePlaces, livePlaces } from './live-places.js';
export { makeWorkspace, type WorkspaceSource } from './make-workspace.js';
export { referenceHand } from './reference-hand.js';
export { openRunRepository } from './run-repository.js';
export { changesBetween, type Snapshot, takeSnapshot, treeOf } from './take-snapshot.js';
