import type { Observation } from './metric.js';
import { resolvedLabel } from './resolved-label.js';
import type { Run } from './run.js';

/** Whether a label has one of some values: 1 or 0; unknown where it was not given; empty where it does not apply. */
export function labelIs(run: Run, stage: number, label: string, values: readonly string[]): Observation[] {
  const found = resolvedLabel(run, stage, label);
  if (found === 'not-applicable') return [];
  return [found === null ? null : Number(values.includes(found.value))];
}
