import { z } from 'zod';
import { defineDocument } from './define-document.js';
import { taskLine } from './results.js';

export const SCAFFOLDS = ['oracle', 'faulty', 'nop', 'scripted', 'command'] as const;

const duration = z
  .string()
  .regex(/^[0-9]+(?:ms|s|m|h)$/, 'a number with ms, s, m or h, such as 30m')
  .describe('duration');
const size = z.string().regex(/^[0-9]+(?:KiB|MiB|GiB)$/, 'a number with KiB, MiB or GiB, such as 8GiB');

export const agentConfiguration = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'letters, digits, dot, dash, underscore'),
  scaffold: z.enum(SCAFFOLDS),
  version: z.string().nullable().default(null),
  model: z.string().nullable().default(null),
  options: z.record(z.string(), z.unknown()).default({}),
});
export type AgentConfiguration = z.infer<typeof agentConfiguration>;

export const protocolShape = z.looseObject({
  level: z.enum(['L1', 'L2', 'L3', 'L4']).default('L4'),
  mode: z.enum(['chain', 'isolated', 'reference']).default('chain'),
  attempts: z.number().int().positive().default(1),
  stageBudget: duration.default('4h'),
  repairRounds: z.number().int().nonnegative().default(1),
  seed: z.number().int().default(1),
});

export const sandboxShape = z.looseObject({
  kind: z.enum(['auto', 'bwrap', 'docker', 'local']).default('auto'),
  network: z.literal('none').default('none'),
  cpus: z.number().positive().nullable().default(null),
  memory: size.nullable().default(null),
  pids: z.number().int().positive().nullable().default(2048),
  disk: size.nullable().default(null),
});

/**
 * What a user writes (YAML). Defaults are filled in when it is read; experiment.json holds the resolved form. A field that is
 * not known is refused: a misspelt limit must not leave a run without one.
 */
export const experimentInput = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'letters, digits, dot, dash, underscore'),
  tasks: z.array(z.string()).min(1),
  agents: z.array(agentConfiguration.strict()).min(1),
  protocol: protocolShape.strict().prefault({}),
  sandbox: sandboxShape.strict().prefault({}),
  concurrency: z
    .strictObject({
      runs: z.number().int().positive().default(1),
      grading: z.number().int().positive().default(1),
      perAgent: z.record(z.string(), z.number().int().positive()).default({}),
    })
    .prefault({}),
});
export type ExperimentInput = z.infer<typeof experimentInput>;

/** experiment.json in the experiment's folder: what is being run, with digests. */
export const experimentShape = z.looseObject({
  name: z.string(),
  toolVersion: z.string(),
  tasks: z.array(
    z.looseObject({
      id: z.string(),
      folder: z.string(),
      publicDigest: z.string(),
      gateDigest: z.string(),
      stages: z.number().int().positive(),
      /** Digest of each stage's suite, the chain's last: a verdict under another one is stale. */
      suites: z.array(z.string()),
      /** Words of each stage's requirement and contract. */
      specWords: z.array(z.number().int().nonnegative()),
      /** The task's line in results.jsonl. */
      line: taskLine,
    }),
  ),
  agents: z.array(agentConfiguration.extend({ digest: z.string() })),
  protocol: protocolShape,
  sandbox: sandboxShape.extend({ kind: z.enum(['bwrap', 'docker', 'local']) }),
  concurrency: z.looseObject({ runs: z.number(), grading: z.number(), perAgent: z.record(z.string(), z.number()) }),
});
export type Experiment = z.infer<typeof experimentShape>;
export const experimentDocument = defineDocument({ name: 'experiment', version: 1, shape: experimentShape });

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const BYTES = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;

/** Milliseconds of a duration such as `4h`. The text has passed the schema. */
export function durationMs(text: string): number {
  const unit = /[a-z]+$/.exec(text)?.[0] as keyof typeof MILLISECONDS;
  return Number.parseInt(text, 10) * MILLISECONDS[unit];
}

/** Bytes of a size such as `8GiB`. The text has passed the schema. */
export function sizeBytes(text: string): number {
  const unit = /[A-Za-z]+$/.exec(text)?.[0] as keyof typeof BYTES;
  return Number.parseInt(text, 10) * BYTES[unit];
}
