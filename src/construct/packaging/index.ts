/** Writes a task package: bundles, specs, suites, environment, provenance and digests, whole or not at all. */
export type { StageFigures } from './stage-figures.js';
export type { PackagedStage, PackagedSuite, TaskParts } from './task-parts.js';
export { requireFree, requireTaskId, writeTaskPackage } from './write-task-package.js';
