import { allOf, scored } from './certainty.js';
import type { Metric } from './metric.js';
import { gatesBefore } from './verdict-view.js';

/** Survival at m_k: everything up to and including stage k passed. */
export function survivalAt(stage: number): Metric {
  return {
    id: `survival-${stage}`,
    short: `m${stage}`,
    label: `Survival at m${stage}`,
    definition:
      stage === 0
        ? 'Share of runs whose first stage passed.'
        : `Share of runs on tasks with more than ${stage} ${stage === 1 ? 'stage' : 'stages'} in which m0 to m${stage} all passed.`,
    unit: 'run',
    better: 'higher',
    observe: (run) => (run.length > stage ? [scored(allOf(gatesBefore(run, stage + 1)))] : []),
  };
}
