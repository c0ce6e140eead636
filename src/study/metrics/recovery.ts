import { allOf, scored } from './certainty.js';
import type { Metric } from './metric.js';
import { gatesBefore } from './verdict-view.js';

/** Whether a run that failed a stage still arrives. */
export const recovery: Metric = {
  id: 'recovery',
  short: 'Recovers',
  label: 'Recovery rate',
  definition: 'Of the runs with at least one failed stage, the share that passes the chain gate.',
  unit: 'run',
  better: 'higher',
  observe: (run) => {
    const allPassed = allOf(gatesBefore(run, run.length));
    if (allPassed === true) return [];
    return [allPassed === null ? null : scored(run.chain?.passed ?? null)];
  },
};
