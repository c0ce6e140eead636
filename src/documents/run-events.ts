import { z } from 'zod';
import { OUTCOMES } from './outcomes.js';

/** The lines of a run's journal.jsonl: what was meant to be done, and what was done. Everything else about a run derives from them. */

const count = z.number().int().nonnegative();
const outcome = z.enum(OUTCOMES);
const place = z.union([count, z.literal('chain')]);
const turn = { stage: count, round: count, attempt: count };

export const agentUsage = z.looseObject({
  input: count.nullable(),
  cachedInput: count.nullable(),
  output: count.nullable(),
  costUsd: z.number().nonnegative().nullable(),
  requests: count.nullable(),
});

export const turnRecord = z.looseObject({
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  error: z.string().nullable(),
  nativeSessionId: z.string().nullable(),
  usage: agentUsage.nullable(),
  /** Time of the agent's turn as the harness measured it. */
  turnMs: z.number(),
});
export type TurnRecord = z.infer<typeof turnRecord>;

export const runIdentity = z.looseObject({
  agent: z.string(),
  task: z.string(),
  attempt: count,
  /** What an old run must share with a new one to be continued: of the agent, the task's public half, protocol and sandbox. */
  agentDigest: z.string(),
  publicDigest: z.string(),
  conditionsDigest: z.string(),
});
export type RunIdentity = z.infer<typeof runIdentity>;

export const stageEnded = z.looseObject({
  ...turn,
  outcome,
  tree: z.string(),
  commit: z.string(),
  turn: turnRecord,
  /** Paths that the snapshot could not hold (as path keys), the first of many. */
  lost: z.array(z.looseObject({ path: z.string(), why: z.string() })),
  lostCount: count,
  /** Command lines of what the agent left running. */
  survivors: z.array(z.string()),
  changedFiles: count,
  /** Of these, files that an earlier stage of the run had changed too. */
  revisitedFiles: count,
  /** In words, what the checkpoint could not copy. */
  checkpointLost: z.string().nullable(),
  /** Limits that were asked for and that the kernel does not hold here: watched at best. Null: not recorded. */
  unenforced: z.array(z.string()).nullable().default(null),
  prepareMs: z.number(),
  overheadMs: z.number(),
  wallMs: z.number(),
});
export type StageEnded = z.infer<typeof stageEnded>;

const snapshotTaken = z.looseObject({
  ...stageEnded.shape,
  checkpointLost: z.null(),
});

export const runEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run-started'), data: runIdentity }),
  /** A process of the harness took the run up; `killed` processes or containers of the one before were still alive. */
  z.object({ type: z.literal('process-started'), data: z.looseObject({ toolVersion: z.string(), killed: count }) }),
  z.object({
    type: z.literal('stage-started'),
    data: z.looseObject({ ...turn, sessionId: z.string(), budgetMs: count }),
  }),
  /** Written when the agent's work is safe but its checkpoint is not yet. */
  z.object({ type: z.literal('snapshot-taken'), data: snapshotTaken }),
  z.object({ type: z.literal('stage-ended'), data: stageEnded }),
  /** The attempt does not count: why, and what it cost where that is known. */
  z.object({
    type: z.literal('stage-abandoned'),
    data: z.looseObject({
      ...turn,
      why: z.enum(['harness-died', 'interrupted', 'provider-error', 'environment-error']),
      message: z.string().nullable(),
      turn: turnRecord.nullable(),
    }),
  }),
  z.object({ type: z.literal('agent-ended'), data: z.looseObject({}) }),
  z.object({ type: z.literal('gate-started'), data: z.looseObject({ place, tree: z.string() }) }),
  z.object({
    type: z.literal('gate-ended'),
    data: z.looseObject({ place, tree: z.string(), verdict: z.string(), gateDigest: z.string(), valid: z.boolean() }),
  }),
  /** The gate could not be held for outside reasons; it is held again when the run is taken up. */
  z.object({ type: z.literal('gate-failed'), data: z.looseObject({ place, code: z.string(), message: z.string() }) }),
  z.object({ type: z.literal('run-ended'), data: z.looseObject({}) }),
]);
export type RunEvent = z.infer<typeof runEvent>;
