import { allOf, scored } from './certainty.js';
import type { Metric } from './metric.js';
import { gatesBefore, stagesFrom, type VerdictView, verdictAt } from './verdict-view.js';

/**
 * Cont: how stages from m1 on fare where everything before them passed.
 * The condition reads last verdicts in both views: they say what code the stage starts from.
 */
export function continuation(view: VerdictView): Metric {
  return {
    id: view === 'last' ? 'cont' : 'cont-first',
    short: 'Cont',
    label: 'Continuation rate',
    definition: 'Stage pass rate from m1 on, over stages whose earlier stages all passed.',
    unit: 'stage',
    better: 'higher',
    observe: (run) =>
      stagesFrom(run, 1).flatMap((stage) => {
        const before = allOf(gatesBefore(run, stage));
        if (before === false) return [];
        return [before === null ? null : scored(verdictAt(run, stage, view).passed)];
      }),
  };
}
