import type { Verdict } from '#documents/verdict.js';

/** What a verdict must have been made with to say something about today. */
export interface GateDue {
  snapshot: string;
  gateDigest: string;
  environment: string;
  grader: string;
}

/** Why a gate has to be held again, in words; null where its verdict stands. */
export function whyStale(verdict: Verdict | null, due: GateDue): string | null {
  if (verdict === null) return 'never graded';
  if (!verdict.valid) return 'the grader could not judge it';
  if (verdict.snapshot !== due.snapshot) return 'the verdict is of another snapshot';
  if (verdict.gateDigest !== due.gateDigest) return 'the hidden suite has changed';
  if (verdict.environment !== due.environment) return 'the environment has changed';
  if (verdict.grader !== due.grader) return `graded by ${verdict.grader}, now ${due.grader}`;
  return null;
}
