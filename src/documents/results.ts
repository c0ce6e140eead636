import { z } from 'zod';
import { OUTCOMES } from './outcomes.js';

/** results.jsonl: one JSON object per line, six kinds. Null is unknown, never 0 and never false. */

const unknownable = <T extends z.ZodType>(shape: T) => shape.nullable().default(null);
const count = z.number().int().nonnegative();
const levels = z.enum(['L1', 'L2', 'L3', 'L4']);
const modes = z.enum(['chain', 'isolated', 'reference']);

const identity = {
  /** Needed only where one file holds several. */
  experiment: unknownable(z.string()),
  level: unknownable(levels),
  mode: unknownable(modes),
  agent: z.string(),
  task: z.string(),
  attempt: count,
};

export const failureKinds = z.enum(['compile', 'collect', 'crash', 'hang', 'suite-aborted', 'forged', 'tests']);
export type FailureKind = z.infer<typeof failureKinds>;

/** How many tests of each suite passed, of how many. */
const testCounts = z.looseObject({
  f2pPassed: unknownable(count),
  f2pTotal: unknownable(count),
  p2pPassed: unknownable(count),
  p2pTotal: unknownable(count),
});

/** What a gate says beside its two verdicts. */
const gateFacts = {
  /** Why a suite failed as a whole. */
  failure: unknownable(failureKinds),
  /** What the grader noticed, e.g. `overlaid`, `reset`, `tamper`. */
  marks: unknownable(z.array(z.string())),
  /** Tests whose outcome changed between the repeats of this gate. */
  flips: unknownable(count),
  tests: unknownable(testCounts),
  /** The kind of sandbox the agent worked in. */
  sandbox: unknownable(z.string()),
};

export const taskLine = z.looseObject({
  kind: z.literal('task'),
  task: z.string(),
  language: unknownable(z.string()),
  domain: unknownable(z.string()),
  repo: unknownable(z.string()),
  stars: unknownable(count),
  featureSourceLines: unknownable(count),
  stages: z.array(
    z.looseObject({
      sourceLines: unknownable(count),
      testLines: unknownable(count),
      sourceFiles: unknownable(count),
      sharedFileShare: unknownable(z.number()),
    }),
  ),
});

export const stageLine = z.looseObject({
  kind: z.literal('stage'),
  ...identity,
  stage: count,
  round: count.default(0),
  outcome: unknownable(z.enum(OUTCOMES)),
  f2p: unknownable(z.boolean()),
  p2p: unknownable(z.boolean()),
  ...gateFacts,
  compileCause: unknownable(z.string()),
  interfaceMismatch: unknownable(z.boolean()),
  missingNames: unknownable(z.array(z.looseObject({ name: z.string(), in: unknownable(z.string()) }))),
  selfTest: unknownable(z.enum(['passed', 'failed', 'none-collected', 'not-run', 'unclear'])),
  toolCalls: unknownable(z.looseObject({ explore: count, edit: count, test: count, build: count, other: count })),
  contextMeasured: unknownable(z.boolean()),
  compacted: unknownable(z.boolean()),
  changedFiles: unknownable(count),
  revisitedFiles: unknownable(count),
  specWords: unknownable(count),
  cumulativeSpecWords: unknownable(count),
  usage: unknownable(
    z.looseObject({
      input: unknownable(count),
      cachedInput: unknownable(count),
      output: unknownable(count),
      costUsd: unknownable(z.number()),
    }),
  ),
  /** Wall time of the stage in seconds. */
  seconds: unknownable(z.number()),
  /** The harness's own share of the critical path in seconds. */
  overheadSeconds: unknownable(z.number()),
});

export const chainLine = z.looseObject({
  kind: z.literal('chain'),
  ...identity,
  outcome: unknownable(z.enum(OUTCOMES)),
  f2p: unknownable(z.boolean()),
  p2p: unknownable(z.boolean()),
  ...gateFacts,
});

export const matrixLine = z.looseObject({
  kind: z.literal('matrix'),
  ...identity,
  suiteStage: count,
  snapshotStage: count,
  f2p: unknownable(z.boolean()),
  p2p: unknownable(z.boolean()),
  valid: unknownable(z.boolean()),
});

export const labelLine = z.looseObject({
  kind: z.literal('label'),
  ...identity,
  stage: count,
  label: z.string(),
  judge: z.string(),
  value: unknownable(z.string()),
  applicable: unknownable(z.boolean()),
  origin: unknownable(count),
  evidence: unknownable(z.array(z.string())),
});

export const inheritanceLine = z.looseObject({
  kind: z.literal('inheritance'),
  ...identity,
  stage: count,
  value: unknownable(z.enum(['none', 'partial', 'full'])),
  origin: unknownable(count),
  measurable: unknownable(z.boolean()),
});

export const resultLine = z.discriminatedUnion('kind', [
  taskLine,
  stageLine,
  chainLine,
  matrixLine,
  labelLine,
  inheritanceLine,
]);

export type ResultLine = z.infer<typeof resultLine>;
export type TaskLine = z.infer<typeof taskLine>;
export type StageLine = z.infer<typeof stageLine>;
export type ChainLine = z.infer<typeof chainLine>;
export type LabelLine = z.infer<typeof labelLine>;
export type InheritanceLine = z.infer<typeof inheritanceLine>;
