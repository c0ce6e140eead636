import { z } from 'zod';
import { defineDocument } from './define-document.js';
import { runnerNames, testKey, testStatuses } from './test-identity.js';

/** One start of a test runner over whole files. */
export const suiteRun = z.looseObject({
  id: z.string(),
  runner: runnerNames,
  /** Folder below the workspace where the runner starts; '' is the workspace. */
  cwd: z.string(),
  project: z.string().nullable(),
  /** Test files, path keys relative to the workspace. */
  files: z.array(z.string()).min(1),
  timeoutMs: z.number().int().positive(),
  perTestTimeoutMs: z.number().int().positive(),
});
export type SuiteRun = z.infer<typeof suiteRun>;

export const suiteTest = z.looseObject({
  id: z.string(),
  key: testKey,
  run: z.string(),
  kind: z.enum(['f2p', 'p2p']),
  /** F2P only: was the test absent before the stage, or there and failing? */
  why: z.enum(['new', 'changed']).nullable(),
  /** P2P only: from which stage on it exists; `base` is S_0. */
  since: z.union([z.literal('base'), z.number().int().nonnegative()]).nullable(),
  /** Last reference state (index into S_0..S_n) on which it still passes. */
  validThrough: z.number().int().nonnegative().nullable(),
  durationMs: z.number().nullable(),
});
export type SuiteTest = z.infer<typeof suiteTest>;

/** A real test with one expectation changed, validated to fail on the reference. A passing twin means a forged verdict. */
export const suiteTwin = z.looseObject({
  id: z.string(),
  /** The hidden test file it is put into. */
  file: z.string(),
  /** The test it was made from. */
  of: z.string(),
  /** Byte offset in the file's text at which `text` is inserted. */
  insertAt: z.number().int().nonnegative(),
  text: z.string(),
  /** Byte range inside `text` that holds the test's name, replaced by a fresh name at every drawing. */
  nameStart: z.number().int().nonnegative(),
  nameEnd: z.number().int().nonnegative(),
  /** How the name is spelled there: `identifier` (test_x) or `title` (inside a string literal). */
  naming: z.enum(['identifier', 'title']),
  /** Path of titles around it, the base name last. */
  path: z.array(z.string()).min(1),
});
export type SuiteTwin = z.infer<typeof suiteTwin>;

/** A manifest merged by field: steering fields and development dependencies are the reference's, the rest the agent's. */
export const manifestMerge = z.looseObject({
  path: z.string(),
  format: z.enum(['json', 'toml', 'ini']),
  /** Paths of keys taken from the reference, e.g. ["scripts"], ["tool","pytest"]; a key missing there is removed. */
  fields: z.array(z.array(z.string())),
});
export type ManifestMerge = z.infer<typeof manifestMerge>;

export const suiteShape = z.looseObject({
  /** Stage number, or `chain` for the chain-level suite. */
  stage: z.union([z.number().int().nonnegative(), z.literal('chain')]),
  /** Digest of everything that decides a verdict: tests, twins, overlay contents, manifests. */
  gateDigest: z.string(),
  runs: z.array(suiteRun).min(1),
  tests: z.array(suiteTest).min(1),
  twins: z.array(suiteTwin),
  quarantined: z.array(
    z.looseObject({ id: z.string(), key: testKey, outcomes: z.array(testStatuses), why: z.string() }),
  ),
  /** Files of `tests/` laid over the workspace: hidden tests, fixtures, helpers, runner configuration. Path keys. */
  overlay: z.array(z.string()),
  /** Reference copies of manifests below `manifests/`, merged by field and never laid over whole. */
  manifests: z.array(manifestMerge),
  /** Anchored regular expressions over path keys: agent-made files in these roles are set aside before the overlay. */
  setAside: z.array(z.string()),
  /** What the grader would find suspicious of the reference itself, in its words: no mark against anyone who does the same. */
  referenceSuspicions: z.array(z.string()).default([]),
});
export type Suite = z.infer<typeof suiteShape>;
/** A suite before its digest is known. */
export type SuiteContent = Pick<
  Suite,
  'stage' | 'runs' | 'tests' | 'twins' | 'quarantined' | 'overlay' | 'manifests' | 'setAside' | 'referenceSuspicions'
>;

export const suiteDocument = defineDocument({ name: 'suite', version: 1, shape: suiteShape });
