/**
 * What this step reads of an analysed history. Steps do not import one another, so the shape is said here; the conductor
 * hands over a whole `History`, which fits it. Paths are keys as of `pathKey`.
 */

export interface PastFile {
  lineage: number;
  path: string;
  role: string;
  status: string;
  addedLines: number | null;
  removedLines: number | null;
}

export interface PastDefinition {
  /** Equal keys are one definition through renames and moves. */
  key: string;
  name: string;
  qualifiedName: string;
  kind: string;
  change: 'added' | 'removed' | 'signature' | 'body' | 'moved';
  path: string;
  lineage: number;
  exported: boolean;
  inTest: boolean;
}

export interface PastTest {
  path: string;
  lineage: number;
  name: string | null;
  change: string;
}

export interface PastImport {
  path: string;
  specifier: string;
  names: string[];
  targets: string[];
}

export interface PastReferences {
  issues: number[];
  pullRequest: number | null;
  closes: number[];
  commits: number[];
  reverts: number[];
  cherryPickedFrom: number[];
  trailers: { name: string; value: string }[];
}

export type PastIntent =
  | 'feature'
  | 'extension'
  | 'fix'
  | 'refactor'
  | 'test'
  | 'docs'
  | 'build'
  | 'release'
  | 'format';

export interface PastGroup {
  id: string;
  index: number;
  kind: string;
  commits: string[];
  commitIndexes: number[];
  landedBy: number | null;
  title: string;
  message: string;
  at: string | null;
  author: string;
  intent: PastIntent;
  files: PastFile[];
  definitions: PastDefinition[];
  importsAdded: PastImport[];
  calls: Map<string, number>;
  testCalls: Map<string, number>;
  identifiers: Map<string, number>;
  testIdentifiers: Map<string, number>;
  reworked: Map<number, number>;
  references: PastReferences;
  words: string[];
  tests: PastTest[];
  sourceLinesAdded: number | null;
  testLinesAdded: number | null;
  revertedBy: number | null;
  relandOf: number | null;
  duplicateOf: number | null;
  byBot: boolean;
  /** Groups that this one was put together from in this step; absent for a group as history has it. */
  parts?: PastGroup[];
}

export interface PastCommit {
  index: number;
  id: string;
  parents: number[];
}

export interface Past {
  head: string;
  completeness: 'complete' | 'shallow' | 'partial';
  commits: PastCommit[];
  groups: PastGroup[];
  lineages: { paths: string[]; touchedBy: number[] }[];
  topology: { hubs: Set<string> };
}
