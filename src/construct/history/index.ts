/** Reads a repository's past: commits, changes with roles, definitions, imports, the module graph, groups with intent. */
export type * from './history.js';
