import type { TestKey } from '#documents/test-identity.js';

/** All that the rules know of a stage. Plain data: whoever has the states fills it in. Paths are path keys. */
export interface StageMaterial {
  stage: number;
  /** Source files that differ between S_i and S_(i+1), as they are in S_i. */
  before: ReadonlyMap<string, Buffer>;
  /** The same, as they are in S_(i+1). */
  after: ReadonlyMap<string, Buffer>;
  /** Hidden test files and their helpers in S_(i+1): at least every file that an F2P test stands in. */
  tests: ReadonlyMap<string, Buffer>;
  f2p: readonly StageTest[];
  /** Messages of the stage's commits, oldest first. */
  messages: readonly string[];
  /** Prose that the stage changed (changelog, manuals): before and after, empty where there was or is none. */
  docs: readonly { path: string; before: Buffer; after: Buffer }[];
  /** What the agent's workspace offers before this stage. */
  workspace: WorkspaceNames;
}

export interface StageTest {
  id: string;
  key: TestKey;
}

/**
 * Names that stand in the workspace without any spec. In a chain the agent has S_0 and what it built by the specs, so
 * this is best made of S_0: what only an earlier reference change brought is then asked of the specs.
 */
export interface WorkspaceNames {
  /** Whether an identifier of sources, tests or docs. */
  hasName(name: string): boolean;
  /** Whether the text stands somewhere in a string of the workspace. */
  hasText(text: string): boolean;
  /** Whether a module is there, as a path without extension and without `/index`, `/__init__`, `/mod`. */
  hasModule(stem: string): boolean;
}

/** One thing that tests rely on or that is visible from outside, and that the stage brings or changes. */
export interface ContractEntry {
  kind: EntryKind;
  /** Qualified name; for messages, texts and flags the text itself, with holes as `{name}`. */
  name: string;
  /** Where importers take it from: `click.types`, `src/middleware/cors`, `crate::walk`. */
  module: string | null;
  signature: string | null;
  /** Literal text of a constant or default. */
  value: string | null;
  /** For messages: the error type that carries it, where the source says. */
  error: string | null;
  /** Texts with holes as tests expect them filled. */
  examples: string[];
  change: 'new' | 'changed';
  /** Names and texts that F2P tests use and that this line is there to tell; empty where no test depends on it. */
  needed: string[];
}

export const ENTRY_KINDS = [
  'module',
  'export',
  'function',
  'class',
  'interface',
  'type',
  'enum',
  'method',
  'field',
  'attribute',
  'constant',
  'variable',
  'macro',
  'flag',
  'message',
  'text',
  'name',
] as const;

export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A stage's spec as the agent reads it. */
export interface SpecText {
  requirement: string;
  contract: string;
}
