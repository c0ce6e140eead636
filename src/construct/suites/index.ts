/** Extracts the hidden suites: runs tests on paired states, classifies, quarantines, adds negative twins. */
export type { SuiteParts } from './assemble-suite.js';
export { type ExtractedSuites, extractSuites, type SuitesRequest } from './extract-suites.js';
export type { SuiteBench } from './run-on-tree.js';
