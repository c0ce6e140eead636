import { scored } from './certainty.js';
import type { Metric } from './metric.js';
import { type VerdictView, verdictAt } from './verdict-view.js';

/** m0: the first stage, which starts from S0 like any task of one stage. */
export function firstStagePass(view: VerdictView): Metric {
  return {
    id: view === 'last' ? 'm0' : 'm0-first',
    short: 'm0',
    label: 'First-stage pass rate',
    definition: 'Share of runs whose first stage passes both F2P and P2P, starting from S0.',
    unit: 'run',
    better: 'higher',
    observe: (run) => [scored(verdictAt(run, 0, view).passed)],
  };
}
