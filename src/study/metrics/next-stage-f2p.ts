import { scored } from './certainty.js';
import type { Metric } from './metric.js';
import { stagesFrom, verdictAt } from './verdict-view.js';

/** F2P of a stage by what the gate said of the stage right before it. */
export function nextStageF2p(previous: 'passed' | 'failed'): Metric {
  return {
    id: `f2p-after-${previous}`,
    short: `After ${previous}`,
    label: `F2P after a ${previous} stage`,
    definition: `F2P rate over stages from m1 on whose previous stage ${previous} its gate.`,
    unit: 'stage',
    better: 'higher',
    observe: (run) =>
      stagesFrom(run, 1).flatMap((stage) => {
        const gate = verdictAt(run, stage - 1).passed;
        if (gate === null) return [null];
        return gate === (previous === 'passed') ? [scored(verdictAt(run, stage).f2p)] : [];
      }),
  };
}
