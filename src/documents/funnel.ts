import { z } from 'zod';
import { defineDocument } from './define-document.js';

/** funnel.json: what became of a repository's history on the way to admitted tasks, and why the rest fell out. */

const count = z.number().int().nonnegative();
const rangeShape = z.looseObject({ from: count, to: count });

/** One try to make a task of consecutive stages of a chain. */
export const attemptShape = z.looseObject({
  chain: z.string(),
  /** Stages of the chain, both included. */
  from: count,
  to: count,
  /** The step that ended it: reference states, construction, admission; `none`: the task was admitted. */
  failed: z.enum(['states', 'build', 'check', 'none']),
  /** Code of the fault, or `refused`; null where the task was admitted. */
  code: z.string().nullable(),
  /** In words; empty where the task was admitted. */
  why: z.string(),
  /** Id of the task that was built; null where none was. */
  task: z.string().nullable(),
  seconds: z.number().nonnegative(),
});
export type Attempt = z.infer<typeof attemptShape>;

export const funnelShape = z.looseObject({
  repository: z.string(),
  head: z.string(),
  toolVersion: z.string(),
  /** Why trying ended: everything was tried, enough was admitted, the time was up, or the operator stopped it. */
  ended: z.enum(['complete', 'enough', 'budget', 'interrupted']),
  counts: z.looseObject({
    commits: count,
    groups: count,
    /** Groups that could be stages. */
    nodes: count,
    candidates: count,
    chains: count,
    /** Chains for which at least one window was tried. */
    tried: count,
    /** Chains with a window whose reference states hold; with a task that was built; with one that was admitted. */
    rebuilt: count,
    built: count,
    admitted: count,
  }),
  /** What fell out, by step and reason, most frequent first. */
  reasons: z.array(
    z.looseObject({
      step: z.enum(['graph', 'search', 'review', 'merge', 'rank', 'limit', 'states', 'build', 'check']),
      /** Code of the fault, or the rule without the figures of the case. */
      reason: z.string(),
      count,
      /** One case in full. */
      example: z.string(),
    }),
  ),
  /** Best chain first. */
  chains: z.array(
    z.looseObject({
      id: z.string(),
      feature: z.string(),
      stages: count,
      /** `rebuilt`: the reference states of a window hold, and nothing was built of it yet. */
      outcome: z.enum(['admitted', 'refused', 'not-built', 'rebuilt', 'not-rebuilt', 'open']),
      /** The window that came furthest; null where none was tried. */
      window: rangeShape.nullable(),
      task: z.string().nullable(),
      attempts: z.array(attemptShape),
    }),
  ),
});
export type Funnel = z.infer<typeof funnelShape>;
export const funnelDocument = defineDocument({ name: 'funnel', version: 1, shape: funnelShape });
