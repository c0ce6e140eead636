import { not, scored } from './certainty.js';
import type { Metric } from './metric.js';
import { verdictAt } from './verdict-view.js';

/** The last stage's own gate, which sees the last extension alone. */
export const lastStagePass: Metric = {
  id: 'last-stage',
  short: 'Last stage',
  label: 'Last-stage gate pass rate',
  definition: 'Share of runs whose last stage passes its own gate.',
  unit: 'run',
  better: 'higher',
  observe: (run) => [scored(verdictAt(run, run.length - 1).passed)],
};

/** What looking at the last stage alone would overstate. */
export const lastStageMisleads: Metric = {
  id: 'last-stage-misleads',
  short: 'Yet chain fails',
  label: 'Chain gate fails although the last stage passed',
  definition: 'Of the runs whose last stage passes its own gate, the share that fails the chain gate.',
  unit: 'run',
  better: 'lower',
  observe: (run) => {
    const last = verdictAt(run, run.length - 1).passed;
    if (last === false) return [];
    return [last === null ? null : scored(not(run.chain?.passed ?? null))];
  },
};
