import { z } from 'zod';
import { defineDocument } from './define-document.js';

/**
 * chains.json: the feature chains that `mine` found in a repository, best first, with their evidence. Paths are keys as
 * of `pathKey`, so that any bytes survive.
 */

const count = z.number().int().nonnegative();
/** Between 0 and 1, with one sentence that says what it rests on. */
const score = z.looseObject({ score: z.number().min(0).max(1), why: z.string() });

export const searchNames = z.enum(['beam', 'anchor', 'bridge', 'community']);
export const evidenceTypes = z.enum(['definitions', 'lines', 'files', 'references', 'imports', 'tests', 'wording']);

/** Who decided: rules, or a model with its name. */
export const chainReviewerShape = z.looseObject({
  by: z.enum(['rules', 'model']),
  model: z.string().nullable(),
  version: z.string(),
});

const stageShape = z.looseObject({
  title: z.string(),
  intent: z.string(),
  /** Full commit ids, oldest first; a merge is the last of its branch. */
  commits: z.array(z.string()).min(1),
  /** Change groups the stage is made of. */
  groups: z.array(z.string()).min(1),
  /** ISO 8601 UTC of the last commit; null where the commit has no usable date. */
  at: z.string().nullable(),
  /** Names of the feature that the stage makes or changes, most telling first. */
  symbols: z.array(z.string()),
  files: z.array(
    z.looseObject({ path: z.string(), role: z.string(), added: count.nullable(), removed: count.nullable() }),
  ),
  /** Tests added or changed; the name is null where only the file is known. */
  tests: z.array(z.looseObject({ path: z.string(), name: z.string().nullable(), change: z.string() })),
  /** Why the stage belongs to the feature. */
  why: z.string(),
  sourceLines: count.nullable(),
  testLines: count.nullable(),
});

/** Evidence between two stages of a chain. */
export const chainEdgeShape = z.looseObject({
  id: z.string(),
  /** Positions in `stages`; `from` is the older one. */
  from: count,
  to: count,
  type: evidenceTypes,
  weight: z.number(),
  explanation: z.string(),
});

const decisionShape = z.looseObject({
  action: z.enum(['keep', 'add', 'drop', 'move']),
  /** The change group decided on, with its commits: dropped ones stand in no stage. */
  group: z.string(),
  commits: z.array(z.string()),
  title: z.string(),
  /** Position in `stages` where it ended up; null where it was dropped. */
  stage: count.nullable(),
  why: z.string(),
  /** Ids of evidence edges that the decision rests on. */
  cites: z.array(z.string()),
});

const chainShape = z.looseObject({
  /** `c-` and 12 hexadecimal digits of the digest of its stages' commits: the same for the same stages. */
  id: z.string(),
  feature: z.string(),
  language: z.enum(['python', 'typescript', 'rust', 'go']).nullable(),
  /** What the feature is known by: names, files. */
  symbols: z.array(z.string()),
  rank: z.looseObject({
    /** How surely the stages are one feature. */
    relation: score,
    /** How far each stage has tests of its own. */
    testability: score,
    /** How likely the stages can be taken out of later code again. */
    removability: score,
    /** The three together. */
    total: z.number(),
    /** How much of the chain no chain before it in the list has. The list is ordered by total (or relation) times this. */
    novelty: score,
  }),
  stages: z.array(stageShape).min(2).max(10),
  edges: z.array(chainEdgeShape),
  foundBy: z.array(searchNames),
  review: z.looseObject({
    reviewer: chainReviewerShape,
    summary: z.string(),
    /** Why the reviewer came to no answer, so that the chain is as the searches found it; absent where it did. */
    unreviewed: z.string().optional(),
    decisions: z.array(decisionShape),
    /** Null where nobody counted. */
    costUsd: z.number().nullable(),
  }),
});

export const chainsShape = z.looseObject({
  /** Path or name of the repository as it was given. */
  repository: z.string(),
  /** Full id of the analysed head. */
  head: z.string(),
  completeness: z.enum(['complete', 'shallow', 'partial']),
  toolVersion: z.string(),
  seed: z.string(),
  /** Everything else the outcome depends on, by option name. */
  options: z.record(z.string(), z.unknown()),
  /** Whether tasks may be made of the repository: each criterion with what was found; null: unknown. */
  admission: z
    .array(z.looseObject({ name: z.string(), passed: z.boolean().nullable(), found: z.string() }))
    .default([]),
  counts: z.looseObject({
    commits: count,
    groups: count,
    /** Groups that stand and say something. */
    nodes: count,
    edges: count,
    candidates: count,
    rejected: count,
  }),
  chains: z.array(chainShape),
});

export type SearchName = z.infer<typeof searchNames>;
export type EvidenceType = z.infer<typeof evidenceTypes>;
export type ChainReviewer = z.infer<typeof chainReviewerShape>;
export type ChainStage = z.infer<typeof stageShape>;
export type ChainEdge = z.infer<typeof chainEdgeShape>;
export type ChainDecision = z.infer<typeof decisionShape>;
export type Chain = z.infer<typeof chainShape>;
export type Chains = z.infer<typeof chainsShape>;

export const chainsDocument = defineDocument({ name: 'chains', version: 1, shape: chainsShape });

/** One line of rejections.jsonl: a group or a candidate that did not become a chain, where and why. */
export const rejectionShape = z.looseObject({
  /** `g-...` of a change group, or `c-...` of a candidate chain. */
  candidate: z.string(),
  kind: z.enum(['group', 'chain']),
  title: z.string(),
  step: z.enum(['graph', 'search', 'review', 'merge', 'rank', 'limit']),
  reason: z.string(),
  /** Full commit ids, stage by stage. */
  stages: z.array(z.array(z.string())),
  /** The chain that was kept instead; null where there is none. */
  instead: z.string().nullable(),
});
export type Rejection = z.infer<typeof rejectionShape>;
