import { labelIs } from './label-share.js';
import type { Metric, Observation } from './metric.js';
import { resolvedLabel } from './resolved-label.js';
import type { Run } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';

/** How often an agent never notices that the stage before has failed. */
export const missedPrior: Metric = {
  id: 'missed-prior',
  short: 'Missed prior',
  label: 'Earlier failure missed',
  definition: 'Of the stages right after a failed one, the share in which the agent never noticed the earlier failure.',
  unit: 'stage',
  better: 'lower',
  observe: (run) => afterFailedStages(run, (stage) => labelIs(run, stage, 'priorAwareness', ['missed'])),
};

/** How often it mends what it noticed. */
export const fixedOfNoticed: Metric = {
  id: 'fixed-of-noticed',
  short: 'Fixed of noticed',
  label: 'Earlier failure fixed once noticed',
  definition: 'Of the stages in which the agent noticed the earlier failure, the share in which it fixed it.',
  unit: 'stage',
  better: 'higher',
  observe: (run) =>
    afterFailedStages(run, (stage) => {
      const found = resolvedLabel(run, stage, 'priorAwareness');
      if (found === 'not-applicable' || (found !== null && found.value === 'missed')) return [];
      return [found === null ? null : Number(found.value === 'fixed')];
    }),
};

function afterFailedStages(run: Run, observe: (stage: number) => Observation[]): Observation[] {
  return stagesFrom(run, 1).flatMap((stage) => {
    const before = verdictAt(run, stage - 1).passed;
    if (before === true) return [];
    return before === null ? [null] : observe(stage);
  });
}
