/**
 * The shape of an analysed history: what step 1 hands to step 2. Everything here is plain data, in memory.
 * Paths are keys as of `pathKey` (latin-1, one character per byte): compare and store them, show them with
 * `showPath(pathBytes(key))`. Commits are named by index into `History.commits`, which is in topological order:
 * parents come before children, branches stay together. Unknown is null, never 0 or ''.
 */

import type { FileRole } from '#languages/index.js';

export type { FileRole };
export type FileStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'type-changed';

/** What stands at a path: a file, an executable file, a symbolic link, a submodule's commit, or nothing. */
export type EntryKind = 'file' | 'executable' | 'symlink' | 'gitlink' | 'absent';

/** One path of one commit against its first parent (against nothing for a root). */
export interface FileChange {
  path: string;
  /** Where a rename came from; null otherwise. */
  from: string | null;
  status: FileStatus;
  /** Identity of the file through renames and folder moves: the index of its `Lineage`. */
  lineage: number;
  role: FileRole;
  before: EntryKind;
  after: EntryKind;
  oldBlob: string | null;
  newBlob: string | null;
  /** Lines added and removed; null where the content was not read. */
  addedLines: number | null;
  removedLines: number | null;
}

/** How a definition differs from the one before. `moved`: same content under another name or in another file. */
export type DefinitionChangeKind = 'added' | 'removed' | 'signature' | 'body' | 'moved';

export type ChangedKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'constant'
  | 'variable'
  | 'module'
  | 'field'
  | 'macro'
  /** A test case: a test function, or a titled case of a describe/it tree. */
  | 'test';

export interface DefinitionChange {
  /** Identity through renames of the file and moves of the definition: equal keys are one definition. */
  key: string;
  /** Last part of the qualified name; the title for titled test cases. */
  name: string;
  qualifiedName: string;
  kind: ChangedKind;
  change: DefinitionChangeKind;
  path: string;
  lineage: number;
  exported: boolean;
  /** Of a test file or of a test-only region of a source file. */
  inTest: boolean;
  /** The new signature (the old one of a removed definition), white space folded. */
  signature: string;
}

/** An import that a commit added to or removed from a file. */
export interface ImportChange {
  path: string;
  lineage: number;
  specifier: string;
  /** Names taken, `*` for all, empty for side effect or whole module. */
  names: string[];
  /** Files (or Go package folders, with a final `/`) of this repository it leads to; empty: outside the repository. */
  targets: string[];
}

/** An edge of the module graph that a commit made or ended. */
export interface GraphChange {
  from: string;
  to: string;
  change: 'added' | 'removed';
}

export interface Identity {
  name: string;
  /** Null where the commit has none. */
  email: string | null;
  /** By the final commit's mailmap; equal to name and email without one. */
  mappedName: string;
  mappedEmail: string | null;
}

/** Why a message or identity is not simply UTF-8 text. */
export type TextMark =
  | 'declared-encoding'
  | 'unknown-encoding'
  | 'latin1-fallback'
  | 'identity-odd'
  | 'date-odd'
  | 'message-empty';

export interface HistoryCommit {
  index: number;
  id: string;
  tree: string;
  /** Indices of the parents in their order; a parent outside the analysed range is -1. */
  parents: number[];
  author: Identity;
  /** Who put the commit where it is: another than the author where a pull request was rebased. */
  committer: Identity;
  /** ISO 8601 UTC; null where the date is missing or outside what a date can be. */
  authoredAt: string | null;
  committedAt: string | null;
  /** Decoded for reading; the bytes stay in the repository. */
  message: string;
  subject: string;
  marks: TextMark[];
  /** Against the first parent. Of a merge this is everything the branch brought. */
  changes: FileChange[];
  /** Merges: positions in `changes` whose content equals no parent's, so the merge itself wrote it. Empty otherwise. */
  ownChanges: number[];
  /** Renames were looked for among equal contents only: too many files, or blobs are missing. */
  exactRenamesOnly: boolean;
  definitions: DefinitionChange[];
  importsAdded: ImportChange[];
  importsRemoved: ImportChange[];
  /** Edges of the module graph that differ from the first parent's graph. */
  graphChanges: GraphChange[];
  /**
   * Names called in added or changed code, with how many more calls there are than before (0: as many or fewer).
   */
  calls: Map<string, number>;
  /** The same of test files: tests, fixtures and helpers. */
  testCalls: Map<string, number>;
  /**
   * Identifiers of which there are more than before, with how many more. Names in string literals that look like options
   * or keys (`max-results`, `--color`) are among them.
   */
  identifiers: Map<string, number>;
  testIdentifiers: Map<string, number>;
  /** Lines of earlier commits, by index, that this one took away or wrote anew: as `LineOrigins` knows them. */
  reworked: Map<number, number>;
  /** Tree of first parents: -1 for roots. */
  firstParent: number;
  /** On the first-parent line of the analysed head. */
  onMainline: boolean;
  /** Inside the asked window of time, number and paths: parsed, and part of groups. Others keep their file changes. */
  inScope: boolean;
  /** Why parts of this commit could not be analysed, one sentence each; empty for most. */
  problems: string[];
}

export type Intent = 'feature' | 'extension' | 'fix' | 'refactor' | 'test' | 'docs' | 'build' | 'release' | 'format';

/** How the commits of a group were found to belong together. */
export type GroupKind =
  | 'merge'
  | 'squash'
  /** Commits of a pull request that were rebased onto the mainline in one go. */
  | 'landing'
  | 'adjacent'
  | 'single';

export interface GroupFile {
  lineage: number;
  /** The path after the group's last commit that touches it. */
  path: string;
  role: FileRole;
  /** Net effect of the group. */
  status: FileStatus;
  addedLines: number | null;
  removedLines: number | null;
}

/** Net change of one definition by a group. */
export interface GroupDefinition {
  key: string;
  name: string;
  qualifiedName: string;
  kind: ChangedKind;
  change: DefinitionChangeKind;
  path: string;
  lineage: number;
  exported: boolean;
  inTest: boolean;
  signature: string;
}

/** What the messages of a group refer to. Nothing here was looked up outside the repository. */
export interface References {
  /** Numbers of issues or pull requests: `#12`, `GH-12`, full links. */
  issues: number[];
  /** The group's own pull request (`Merge pull request #12`, `subject (#12)`). */
  pullRequest: number | null;
  /** Numbers after fixes / closes / resolves. */
  closes: number[];
  /** Commits of this repository named by unique hash prefixes, as indices. */
  commits: number[];
  /** Commits that this group reverts, as indices. */
  reverts: number[];
  /** Commits that this group was cherry-picked from, or that equal it in effect, as indices. */
  cherryPickedFrom: number[];
  /** Trailers such as `Co-authored-by`, lower-cased names. */
  trailers: { name: string; value: string }[];
}

/** A test the group added or changed. */
export interface TestTouch {
  path: string;
  lineage: number;
  /** Name or title; null where only the file is known (not parsed). */
  name: string | null;
  change: DefinitionChangeKind;
}

/** Commits that are one change: a merge with its branch, a squashed pull request, neighbours of one intent, or one commit. */
export interface ChangeGroup {
  /** `g-` and the first 12 digits of the last commit: the same for the same commits. */
  id: string;
  /** Position in `History.groups`, oldest first. */
  index: number;
  kind: GroupKind;
  /** Full commit ids, oldest first; a merge is the last. */
  commits: string[];
  /** The same as indices. */
  commitIndexes: number[];
  /** Index of the commit after which the group's work is on the mainline; null where it never got there. */
  landedBy: number | null;
  title: string;
  /** Every message, oldest first, blank lines between. */
  message: string;
  /** ISO 8601 UTC of the last commit; null where unknown. */
  at: string | null;
  /** Mapped name of the author of most of the group's commits, and everybody's. */
  author: string;
  authors: string[];
  intent: Intent;
  /** The rules (or model) behind the intent, for people. */
  intentWhy: string[];
  files: GroupFile[];
  definitions: GroupDefinition[];
  importsAdded: ImportChange[];
  /** Names called in code the group added or changed, with counts: source and test code apart. */
  calls: Map<string, number>;
  testCalls: Map<string, number>;
  /** Identifiers in code the group added or changed. */
  identifiers: Map<string, number>;
  testIdentifiers: Map<string, number>;
  /** Lines of earlier groups, by index, that this one took away or wrote anew. */
  reworked: Map<number, number>;
  references: References;
  /** Stemless lower-case words of the messages and of the names of changed definitions, sorted, no stop words. */
  words: string[];
  tests: TestTouch[];
  sourceLinesAdded: number | null;
  testLinesAdded: number | null;
  /** Group index that reverts this one and is not itself reverted; null while it stands. */
  revertedBy: number | null;
  /** Group index that this one lands again; null otherwise. */
  relandOf: number | null;
  /** Group index with the same effect (cherry-pick, back-port) that came first; null otherwise. */
  duplicateOf: number | null;
  /** Made by an automaton: dependency updates, formatting bots. */
  byBot: boolean;
}

/** What is known of a group when its intent is asked for. */
export type IntentQuestion = Pick<
  ChangeGroup,
  'title' | 'message' | 'files' | 'definitions' | 'importsAdded' | 'references' | 'tests' | 'byBot'
>;

export interface IntentAnswer {
  intent: Intent;
  /** The rules that fired, or a model's reasons, for people. */
  why: string[];
}

/** The semantic role: says what a change is meant to do. Rules by default; a model may stand in. */
export interface SemanticRole {
  intentOf(question: IntentQuestion): Promise<IntentAnswer>;
}

/** How the files of the head hang together. */
export interface Topology {
  /** File -> name of the module it is part of. */
  moduleOf: Map<string, string>;
  /** Files that so much depends on, or that so many changes touch, that sharing them says little. */
  hubs: Set<string>;
}

export interface TopologyQuestion {
  graph: ModuleGraph;
  lineages: Lineage[];
  /** Number of commits that change source or tests. */
  changingCommits: number;
}

/** The topology role: says what belongs to which module, and what is a hub. Rules by default; a model may stand in. */
export interface TopologyRole {
  topologyOf(question: TopologyQuestion): Promise<Topology>;
}

/** A file's identity through renames and folder moves. */
export interface Lineage {
  index: number;
  /** Every path it had, in order of time, without repetition. */
  paths: string[];
  /** Commit indices that touched it (merges only where they wrote it themselves), ascending. */
  touchedBy: number[];
  /** Role under its last path. */
  role: FileRole;
}

/** The module graph at one commit: files (or Go package folders, with a final `/`) and who imports whom. */
export interface ModuleGraph {
  /** Importing file -> sorted targets. */
  edges: Map<string, string[]>;
}

export interface AdmissionCriterion {
  name: 'licence' | 'language' | 'tests' | 'stars' | 'offline-build';
  /** Null: unknown; admission then needs `force`. */
  passed: boolean | null;
  /** What was found, for people. */
  found: string;
}

export interface Admission {
  criteria: AdmissionCriterion[];
  /** SPDX id where recognised. */
  licence: string | null;
  mainLanguage: string | null;
  /** Bytes per language at the head, source files only. */
  bytesByLanguage: Record<string, number>;
  testFrameworks: string[];
  stars: number | null;
}

export interface HistoryFigures {
  commits: number;
  merges: number;
  changes: number;
  /** Versions of files that were compared now; those known from the cache are not counted. */
  parsedVersions: number;
}

export interface History {
  /** The repository's git folder. */
  gitDir: string;
  /** Full id of the analysed head. */
  head: string;
  /** Version of git that made the diffs. */
  gitVersion: string;
  /** `complete`, or why the past is not whole (only analysed where the options say so). */
  completeness: 'complete' | 'shallow' | 'partial';
  commits: HistoryCommit[];
  groups: ChangeGroup[];
  lineages: Lineage[];
  /** Module graph at the head. */
  graph: ModuleGraph;
  topology: Topology;
  admission: Admission;
  figures: HistoryFigures;
  /** Index of a commit by full id. */
  indexOf: Map<string, number>;
}

export interface HistoryOptions {
  /** Revision to analyse up to; HEAD by default. */
  head?: string;
  /** Only commits authored at or after / before this instant become groups; the walk is always whole. */
  sinceMs?: number;
  untilMs?: number;
  /** At most so many newest commits become groups. */
  maxCommits?: number;
  /** Only files below these path prefixes are parsed, and only commits touching them become groups. Path keys, no final `/`. */
  paths?: string[];
  /** Where caches live; null keeps nothing. */
  cacheFolder: string | null;
  /** Worker threads for parsing; 0 parses in the main thread. */
  workers?: number;
  /** Go on although the clone is shallow or lacks objects, and mark the result. */
  allowIncomplete?: boolean;
  /** Who says what a change is for, and how the modules hang together; rules where nobody is named. */
  semantic?: SemanticRole;
  topologist?: TopologyRole;
  /** Stars of the repository where known. */
  stars?: number | null;
}
