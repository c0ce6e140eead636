/** One thing that `check` has to say about a task. */
export interface Finding {
  /** Stable kebab-case name of the kind of finding. */
  code: string;
  /** A refusal makes the task unfit; a note is for the reader. */
  severity: 'refusal' | 'note';
  /** File of the package, relative to its folder, or path in the workspace. */
  file: string;
  /** Field or line in it; null where the whole file is meant. */
  field: string | null;
  message: string;
  /** What to do about it. */
  hint: string;
}

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
