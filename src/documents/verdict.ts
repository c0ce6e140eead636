import { z } from 'zod';
import { defineDocument } from './define-document.js';
import { failureKinds } from './results.js';
import { testStatuses } from './test-identity.js';

export const markKinds = z.enum(['overlaid', 'reset', 'tamper']);

/** A fact about how the graded tree or its run differs from an honest one. */
export const mark = z.looseObject({
  mark: markKinds,
  /** What was found, in words, with the path or field. */
  what: z.string(),
  /** Whether the verdict would have been another without the guard; null where that was not examined. */
  changedVerdict: z.boolean().nullable(),
});
export type Mark = z.infer<typeof mark>;

/** stages/k/gate.json and chain/gate.json. Immutable: a later grading writes a new one that names this one. */
export const verdictShape = z.looseObject({
  id: z.string(),
  derivedFrom: z.string().nullable(),
  agent: z.string(),
  task: z.string(),
  attempt: z.number().int().nonnegative(),
  stage: z.union([z.number().int().nonnegative(), z.literal('chain')]),
  round: z.number().int().nonnegative(),
  /** Tree ids: what the agent left, and what was composed from it and graded. */
  snapshot: z.string(),
  gradedTree: z.string(),
  gateDigest: z.string(),
  environment: z.string(),
  grader: z.string(),
  sandbox: z.string(),
  /** Null where nothing can be said (grader-invalid). */
  f2p: z.boolean().nullable(),
  p2p: z.boolean().nullable(),
  failure: failureKinds.nullable(),
  /** False where the control grading of the reference failed too: the outcome is grader-invalid. */
  valid: z.boolean(),
  tests: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.enum(['f2p', 'p2p']),
      status: testStatuses,
      /** Status in each grading, first to last. */
      attempts: z.array(testStatuses),
      durationMs: z.number().nullable(),
      message: z.string().nullable(),
    }),
  ),
  twins: z.array(z.looseObject({ id: z.string(), name: z.string(), status: testStatuses })),
  marks: z.array(mark),
  control: z.looseObject({ valid: z.boolean(), why: z.string().nullable() }).nullable(),
  gradings: z.array(
    z.looseObject({
      seed: z.string(),
      order: z.string(),
      cached: z.boolean(),
      exitCode: z.number().nullable(),
      failure: failureKinds.nullable(),
      seconds: z.number(),
    }),
  ),
  /** Ids of tests whose status differed between gradings. */
  flips: z.array(z.string()),
  gradedAt: z.string(),
  seconds: z.number(),
});
export type Verdict = z.infer<typeof verdictShape>;

export const verdictDocument = defineDocument({ name: 'verdict', version: 1, shape: verdictShape });
