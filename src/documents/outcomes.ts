/** What happened to a stage or a run. One pure function (`classifyOutcome`) derives it; adapters never name it. */
export const OUTCOMES = [
  'completed',
  'agent-timeout',
  'agent-budget',
  'agent-error',
  'agent-refusal',
  'no-activity',
  'provider-error',
  'environment-error',
  'grader-invalid',
  'not-reached',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes that are nobody's result: the run is unfinished, retried, and out of every denominator until resolved. */
export const UNFINISHED_OUTCOMES: ReadonlySet<Outcome> = new Set([
  'provider-error',
  'environment-error',
  'grader-invalid',
  'not-reached',
]);
