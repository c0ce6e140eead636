import { scored } from './certainty.js';
import { labelIs } from './label-share.js';
import type { Metric } from './metric.js';
import { resolvedLabel } from './resolved-label.js';
import type { Run } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';
import type { ConditionedStage } from './within-groups.js';

/** How often the agent's own checks exercise every criterion that it was given. */
export const allCriteria: Metric = {
  id: 'all-criteria',
  short: 'All criteria',
  label: 'Checks aimed at all criteria',
  definition: "Share of stages in which the agent's checks exercise every acceptance criterion.",
  unit: 'stage',
  better: 'higher',
  observe: (run) => stagesFrom(run, 0).flatMap((stage) => labelIs(run, stage, 'criteriaAlignment', ['all'])),
};

/** What such checks are worth. */
export function f2pGivenCriteria(value: 'all' | 'some'): Metric {
  return {
    id: `f2p-criteria-${value}`,
    short: `F2P | ${value}`,
    label: `F2P where checks exercise ${value} criteria`,
    definition: `F2P rate over the stages in which the agent's checks exercise ${value} of the acceptance criteria.`,
    unit: 'stage',
    better: 'higher',
    observe: (run) =>
      stagesFrom(run, 0).flatMap((stage) => {
        const found = resolvedLabel(run, stage, 'criteriaAlignment');
        if (found === 'not-applicable' || (found !== null && found.value !== value)) return [];
        return [found === null ? null : scored(verdictAt(run, stage).f2p)];
      }),
  };
}

/** Stages split by the aim of the agent's checks (left: all criteria, right: some); what is compared is their F2P. */
export function splitByCriteria(run: Run): ConditionedStage[] {
  return stagesFrom(run, 0).flatMap((stage): ConditionedStage[] => {
    const found = resolvedLabel(run, stage, 'criteriaAlignment');
    if (found === null || found === 'not-applicable' || (found.value !== 'all' && found.value !== 'some')) return [];
    return [
      { stage, condition: found.value === 'all' ? 'left' : 'right', observation: scored(verdictAt(run, stage).f2p) },
    ];
  });
}
