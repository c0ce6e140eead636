/** Reads a repository's past: commits, changes with roles, definitions, imports, the module graph, groups with intent. */
export { analyseHistory } from './analyse-history.js';
export { semanticRules } from './groups/intent.js';
export type * from './history.js';
export { readRawHistory } from './raw-figures.js';
