import { z } from 'zod';
import { defineDocument } from './define-document.js';
import { OUTCOMES } from './outcomes.js';

/**
 * What a study found: the numbers behind every table and figure, each with its n and its interval.
 * Shares are fractions of 1. Null is undefined or unknown, never 0.
 */

const count = z.number().int().nonnegative();

/** `bootstrap`: percentile over tasks. `bca`: bias-corrected over tasks. `wilson`: where every task agrees at 0 or 1. */
export const intervalMethods = z.enum(['bootstrap', 'bca', 'wilson']);

const interval = z.object({
  low: z.number(),
  high: z.number(),
  method: intervalMethods,
});

const figure = z.looseObject({
  /** Null where nothing was counted. */
  value: z.number().nullable(),
  /** Sum of what was counted: the numerator; not a whole number for means of shares. */
  sum: z.number(),
  /** How many were counted: the denominator. */
  of: count,
  /** Tasks that contribute. */
  tasks: count,
  /** Would count, but their verdict is unknown. */
  unknown: count,
  interval: interval.nullable(),
  /** Fewer were counted than a figure should rest on. */
  few: z.boolean(),
});

const column = z.looseObject({
  id: z.string(),
  short: z.string(),
  label: z.string(),
  definition: z.string(),
  unit: z.enum(['run', 'stage']),
  better: z.enum(['higher', 'lower']).nullable(),
});

const row = z.looseObject({
  /** Null is the pooled row: all agents together. */
  agent: z.string().nullable(),
  /** One per column of the table. */
  figures: z.array(figure),
});

const table = z.looseObject({
  id: z.string(),
  title: z.string(),
  note: z.string().nullable(),
  columns: z.array(column),
  rows: z.array(row),
  /** What the results would have to carry for this table; null where nothing is missing. */
  lacks: z.string().nullable(),
});

const difference = z.looseObject({
  value: z.number().nullable(),
  interval: interval.nullable(),
  tasks: count,
});

const comparison = z.looseObject({
  id: z.string(),
  title: z.string(),
  agent: z.string().nullable(),
  left: z.looseObject({ label: z.string(), figure }),
  right: z.looseObject({ label: z.string(), figure }),
  /** Left minus right, paired by task. */
  difference,
  /** Groups of one task and one stage that hold both conditions; null where the comparison is not within groups. */
  groups: count.nullable(),
});

export const cellStates = z.enum([
  'passed',
  'f2p-failed',
  'p2p-failed',
  'both-failed',
  'unknown',
  'unfinished',
  'missing',
]);

const gridCell = z.looseObject({
  /** Null is the chain gate. */
  stage: count.nullable(),
  state: cellStates,
  outcome: z.enum(OUTCOMES).nullable(),
  failure: z.string().nullable(),
  marks: z.array(z.string()),
  flips: count.nullable(),
  /** Repair rounds after the first verdict. */
  rounds: count,
  tests: z
    .looseObject({
      f2pPassed: count.nullable(),
      f2pTotal: count.nullable(),
      p2pPassed: count.nullable(),
      p2pTotal: count.nullable(),
    })
    .nullable(),
});

const gridRun = z.looseObject({
  agent: z.string(),
  task: z.string(),
  attempt: count,
  unfinished: z.boolean(),
  cells: z.array(gridCell),
  chain: gridCell.nullable(),
});

const spread = z.looseObject({ n: count, p5: z.number(), p50: z.number(), mean: z.number(), p95: z.number() });

const effort = z.looseObject({
  agent: z.string().nullable(),
  overheadSeconds: spread.nullable(),
  stageSeconds: spread.nullable(),
  costUsd: z.number().nullable(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** Cost of all finished stages divided by the stages that passed. */
  costUsdPerPassedStage: z.number().nullable(),
  secondsPerPassedStage: z.number().nullable(),
  stages: count,
  stagesWithCost: count,
});

const unfinishedRun = z.looseObject({
  agent: z.string(),
  task: z.string(),
  attempt: count,
  /** Null is the chain gate. */
  stage: count.nullable(),
  why: z.string(),
});

const share = z.object({ name: z.string(), count });

const condition = z.looseObject({
  experiment: z.string().nullable(),
  level: z.string().nullable(),
  mode: z.string().nullable(),
  /** In the order of the main table. */
  agents: z.array(
    z.looseObject({ agent: z.string(), runs: count, finished: count, missingTasks: z.array(z.string()) }),
  ),
  tasks: z.array(
    z.looseObject({
      task: z.string(),
      language: z.string().nullable(),
      domain: z.string().nullable(),
      repo: z.string().nullable(),
      stages: count,
      /** The length is the highest stage seen, for want of a task line. */
      lengthInferred: z.boolean(),
    }),
  ),
  runs: count,
  finished: count,
  mostAttempts: count,
  unfinished: z.array(unfinishedRun),
  sandboxes: z.array(z.string()),
  languages: z.array(share),
  domains: z.array(share),
  lengths: z.array(share),
  /** Reference change per stage (per task for the whole feature; from the second stage on for the shared files). */
  stageFacts: z.looseObject({
    sourceLines: spread.nullable(),
    testLines: spread.nullable(),
    sourceFiles: spread.nullable(),
    sharedFileShare: spread.nullable(),
    featureSourceLines: spread.nullable(),
  }),
  tables: z.array(table),
  comparisons: z.array(comparison),
  rankCorrelation: z.looseObject({ rho: z.number().nullable(), agents: count }),
  grid: z.array(gridRun),
  effort: z.array(effort),
});

const findingsShape = z.looseObject({
  sources: z.array(
    z.looseObject({
      where: z.string(),
      lines: count,
      torn: z.object({ line: count, bytes: count }).nullable(),
    }),
  ),
  seed: z.number().int(),
  resamples: count,
  confidence: z.number(),
  /** How intervals are made unless a figure says otherwise. */
  method: intervalMethods,
  fewBelow: count,
  notices: z.array(z.string()),
  conditions: z.array(condition),
});

/** findings.json: what `report` computed, for the tables and figures of every format. */
export const findingsDocument = defineDocument({ name: 'findings', version: 1, shape: findingsShape });

export type Findings = z.infer<typeof findingsShape>;
export type Condition = z.infer<typeof condition>;
export type FindingsTable = z.infer<typeof table>;
export type FindingsRow = z.infer<typeof row>;
export type FindingsColumn = z.infer<typeof column>;
export type Figure = z.infer<typeof figure>;
export type Interval = z.infer<typeof interval>;
export type Comparison = z.infer<typeof comparison>;
export type GridRun = z.infer<typeof gridRun>;
export type GridCell = z.infer<typeof gridCell>;
export type CellState = z.infer<typeof cellStates>;
export type Effort = z.infer<typeof effort>;
export type Spread = z.infer<typeof spread>;
