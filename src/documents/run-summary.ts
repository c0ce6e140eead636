import { z } from 'zod';
import { defineDocument } from './define-document.js';
import { OUTCOMES } from './outcomes.js';

const count = z.number().int().nonnegative();

/** run.json: a run at a glance, derived from its journal and its gates. */
export const runSummaryShape = z.looseObject({
  agent: z.string(),
  task: z.string(),
  attempt: count,
  /** `finished` ended with every gate held; `unfinished` waits for outside reasons; `running` has stages or gates to come. */
  state: z.enum(['finished', 'unfinished', 'running']),
  outcome: z.enum(OUTCOMES).nullable(),
  /** How many processes of the harness worked on it: more than one means that it was resumed. */
  processes: count,
  stages: z.array(
    z.looseObject({
      stage: count,
      outcome: z.enum(OUTCOMES),
      /** Attempts of the stage that were started; all but the last do not count. */
      attempts: count,
      snapshot: z.string().nullable(),
      f2p: z.boolean().nullable(),
      p2p: z.boolean().nullable(),
      survivors: z.array(z.string()),
      lost: z.array(z.string()),
    }),
  ),
  chain: z.looseObject({ f2p: z.boolean().nullable(), p2p: z.boolean().nullable() }).nullable(),
  /** Spend of attempts that do not count, kept apart from the stages' own. */
  abandoned: z.array(z.looseObject({ stage: count, attempt: count, why: z.string(), costUsd: z.number().nullable() })),
});
export type RunSummary = z.infer<typeof runSummaryShape>;
export const runSummaryDocument = defineDocument({ name: 'run', version: 1, shape: runSummaryShape });
