import { z } from 'zod';
import { chainEdgeShape, chainReviewerShape, searchNames } from './chains.js';
import { defineDocument } from './define-document.js';
import { testStatuses } from './test-identity.js';

/** private/provenance.json: where each stage came from and how each file of each state was decided. */
export const provenanceShape = z.looseObject({
  repository: z.string(),
  checkpoint: z.string(),
  stages: z.array(z.looseObject({ commits: z.array(z.string()).min(1), subjects: z.array(z.string()) })),
  /** The mined chain that the stages are of, with the evidence between them; absent where a person named the commits. */
  chain: z
    .looseObject({
      id: z.string(),
      feature: z.string(),
      /** Head of the history that was mined, and what mined it. */
      head: z.string(),
      toolVersion: z.string(),
      /** Stages of the chain that the task has, both included. */
      window: z.looseObject({ from: z.number().int().nonnegative(), to: z.number().int().nonnegative() }),
      foundBy: z.array(searchNames),
      reviewer: chainReviewerShape,
      /** Why each stage of the task belongs to the feature. */
      why: z.array(z.string()),
      /** Between stages of the task: `from` and `to` are the task's stages. */
      edges: z.array(chainEdgeShape),
    })
    .optional(),
  /** Trees of S_0..S_n in this task's objects. */
  states: z.array(z.string()).min(2),
  /** One row per file that removal had to decide, last stage first. */
  removals: z.array(
    z.looseObject({
      stage: z.number().int().nonnegative(),
      path: z.string(),
      role: z.enum(['feature', 'tests', 'dependency', 'unrelated', 'behaviour-free']),
      layer: z.string(),
      why: z.string(),
    }),
  ),
  assertions: z.array(
    z.looseObject({ name: z.string(), state: z.number().int().nullable(), holds: z.boolean(), evidence: z.string() }),
  ),
});
export type Provenance = z.infer<typeof provenanceShape>;
export const provenanceDocument = defineDocument({ name: 'provenance', version: 1, shape: provenanceShape });

/** private/validation.json: every test x state x repeat as observed while building. */
export const validationShape = z.looseObject({
  environment: z.string(),
  sandbox: z.string(),
  tools: z.record(z.string(), z.string()),
  observations: z.array(
    z.looseObject({
      /** Which tests (of state index) ran on which code (state index). */
      testsOf: z.number().int().nonnegative(),
      state: z.number().int().nonnegative(),
      repeat: z.number().int().nonnegative(),
      order: z.string(),
      seconds: z.number(),
      /** By test id. */
      results: z.record(z.string(), z.looseObject({ status: testStatuses, durationMs: z.number().nullable() })),
    }),
  ),
});
export type Validation = z.infer<typeof validationShape>;
export const validationDocument = defineDocument({ name: 'validation', version: 1, shape: validationShape });
