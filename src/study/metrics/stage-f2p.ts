import { scored } from './certainty.js';
import type { Metric } from './metric.js';
import { stagesFrom, type VerdictView, verdictAt } from './verdict-view.js';

/** F2P: new behaviour, stage by stage, whatever came before. */
export function stageF2p(view: VerdictView): Metric {
  return {
    id: view === 'last' ? 'f2p' : 'f2p-first',
    short: 'F2P',
    label: 'Stage F2P rate',
    definition: 'Share of graded stages whose F2P suite passes.',
    unit: 'stage',
    better: 'higher',
    observe: (run) => stagesFrom(run, 0).map((stage) => scored(verdictAt(run, stage, view).f2p)),
  };
}
