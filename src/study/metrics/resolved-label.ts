import type { LabelLine } from '#documents/results.js';
import type { Run } from './run.js';

/** Judges whose word is final, the first of them first. Every other judge is one voice. */
const FINAL_JUDGES = ['adjudicated', 'adjudication', 'majority'];

/** What is known of one label at one stage: its value, that it does not apply, or nothing. */
export type ResolvedLabel = { readonly value: string; readonly origin: number | null } | 'not-applicable' | null;

/**
 * The label of a stage as its judges left it: adjudicated, else the stated majority, else the value that more than half
 * of the judges chose. The voices of rules and of the blind human check are compared elsewhere and do not count here.
 */
export function resolvedLabel(run: Run, stage: number, label: string): ResolvedLabel {
  const lines = run.labels.filter((line) => line.stage === stage && line.label === label);
  for (const judge of FINAL_JUDGES) {
    const line = lines.find((candidate) => candidate.judge === judge);
    if (line !== undefined) return resolve(line);
  }
  const voices = lines.filter(({ judge }) => judge !== 'rules' && judge !== 'human');
  const counts = new Map<string, LabelLine[]>();
  for (const line of voices) {
    const key = JSON.stringify([line.applicable, line.value]);
    counts.set(key, [...(counts.get(key) ?? []), line]);
  }
  for (const agreed of counts.values()) {
    const [first] = agreed;
    if (first !== undefined && agreed.length * 2 > voices.length) return resolve(first);
  }
  return null;
}

function resolve({ applicable, value, origin }: LabelLine): ResolvedLabel {
  if (applicable === false) return 'not-applicable';
  return value === null ? null : { value, origin };
}
