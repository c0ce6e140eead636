import { z } from 'zod';
import { defineDocument } from './define-document.js';
import { runnerNames } from './test-identity.js';

const count = z.number().int().nonnegative();

export const constructionStep = z.looseObject({
  step: z.string(),
  /** `rules`, or the kind of role that made it. */
  by: z.enum(['rules', 'model', 'agent', 'person']),
  model: z.string().nullable(),
  version: z.string(),
  /** Digest of what the step made. */
  digest: z.string(),
});

export const taskShape = z.looseObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'lower-case letters, digits, dot, dash, underscore'),
  title: z.string(),
  language: z.enum(['python', 'typescript', 'rust', 'go']),
  domain: z.string().nullable(),
  source: z.looseObject({
    repo: z.string(),
    license: z.string().nullable(),
    stars: count.nullable(),
    /** The commit the states were rebuilt from. */
    checkpoint: z.string(),
    /** A unique string that must never appear in training data; also written into every private file set. */
    canary: z.string(),
  }),
  stages: z
    .array(
      z.looseObject({
        title: z.string(),
        sourceLines: count,
        testLines: count,
        sourceFiles: count,
        /** Share of the stage's changed source files that earlier stages changed too; null for stage 0. */
        sharedFileShare: z.number().nullable(),
        f2p: count,
        p2p: count,
      }),
    )
    .min(1),
  budgets: z.looseObject({ stageMs: count }),
  runner: runnerNames,
  /** Digest of the environment's content; environment/environment.json has the recipe. */
  environment: z.string(),
  /** Path keys that belong to the environment and are in no snapshot. */
  protectedPaths: z.array(z.string()),
  construction: z.array(constructionStep),
  /** Covers everything an agent can see: this file's public fields, S_0, the specs, the environment. */
  publicDigest: z.string(),
  /** Covers every suite. */
  gateDigest: z.string(),
});
export type Task = z.infer<typeof taskShape>;

export const taskDocument = defineDocument({ name: 'task', version: 1, shape: taskShape });
