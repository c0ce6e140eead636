import { chainGatePass } from './chain-gate-pass.js';
import type { Metric } from './metric.js';

/** Chain lengths that are read together; null is without end. */
export const LENGTH_BINS: readonly { readonly from: number; readonly to: number | null }[] = [
  { from: 1, to: 1 },
  { from: 2, to: 2 },
  { from: 3, to: 3 },
  { from: 4, to: 4 },
  { from: 5, to: null },
];

/** Gate over tasks of some lengths. */
export function gateByLength({ from, to }: { from: number; to: number | null }): Metric {
  const name = to === null ? `${from}+` : `${from}`;
  const stages = `${name} ${name === '1' ? 'stage' : 'stages'}`;
  return {
    id: `gate-length-${name}`,
    short: stages,
    label: `Chain gate, ${stages}`,
    definition: `Chain gate pass rate over tasks of ${stages}.`,
    unit: 'run',
    better: 'higher',
    observe: (run) => (run.length >= from && (to === null || run.length <= to) ? chainGatePass.observe(run) : []),
  };
}
