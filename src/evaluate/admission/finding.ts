import type { CheckFinding } from '#documents/check-finding.js';

export type Finding = CheckFinding;

export interface CheckReport {
  ok: boolean;
  findings: Finding[];
}

/** Refusals first, then by file. */
export function reportOf(findings: readonly Finding[]): CheckReport {
  const rank = (finding: Finding): string => `${finding.severity === 'refusal' ? 0 : 1} ${finding.file}`;
  return {
    ok: findings.every((finding) => finding.severity !== 'refusal'),
    findings: [...findings].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0)),
  };
}
