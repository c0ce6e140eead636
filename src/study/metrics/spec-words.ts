import { allOf, scored } from './certainty.js';
import type { Metric } from './metric.js';
import { gatesBefore, stagesFrom, verdictAt } from './verdict-view.js';

/** Bins of cumulative specification words, each from its first word to before the next bin's. */
export const WORD_BINS: readonly { readonly from: number; readonly to: number | null }[] = [
  { from: 0, to: 1500 },
  { from: 1500, to: 3000 },
  { from: 3000, to: 8000 },
  { from: 8000, to: null },
];

/** F2P of later stages by how much specification the agent has been given so far, where all before it passed. */
export function f2pBySpecWords({ from, to }: { from: number; to: number | null }): Metric {
  const text = (words: number): string => words.toLocaleString('en-US');
  const name = to === null ? `${text(from)}+` : from === 0 ? `under ${text(to)}` : `${text(from)}–${text(to - 1)}`;
  return {
    id: `f2p-words-${from}`,
    short: `${name} words`,
    label: `F2P at ${name} words`,
    definition: `F2P rate over stages from m1 on with all earlier passed, when the specifications so far have ${name} words.`,
    unit: 'stage',
    better: null,
    observe: (run) =>
      stagesFrom(run, 1).flatMap((stage) => {
        const before = allOf(gatesBefore(run, stage));
        const words = run.stages[stage]?.line.cumulativeSpecWords ?? null;
        if (before === false || (words !== null && (words < from || (to !== null && words >= to)))) return [];
        return [before === null || words === null ? null : scored(verdictAt(run, stage).f2p)];
      }),
  };
}
