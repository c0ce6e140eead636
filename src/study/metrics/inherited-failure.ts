import { labelIs } from './label-share.js';
import type { Metric, Observation } from './metric.js';
import type { Run } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';

const VALUES = { any: ['full', 'partial'], full: ['full'], partial: ['partial'] } as const;
const WORDS = { any: 'fully or partly', full: 'fully', partial: 'partly' } as const;

/** How many failed later stages fail because of a defect that an earlier stage left, by the judges' label. */
export function inheritedFailure(extent: keyof typeof VALUES): Metric {
  return {
    id: `inherited-${extent}`,
    short: extent === 'any' ? 'Inherited' : `Inherited, ${extent}`,
    label: extent === 'any' ? 'Inherited failure' : `Inherited failure, ${extent}`,
    definition: `Of the failed stages from m1 on, the share that is ${WORDS[extent]} caused by a defect of an earlier stage.`,
    unit: 'stage',
    better: 'lower',
    observe: (run) => overFailedLaterStages(run, (stage) => labelIs(run, stage, 'inheritance', VALUES[extent])),
  };
}

/** How often a run has an inherited defect that fails a later stage. */
export const runsWithInheritedFailure: Metric = {
  id: 'inherited-runs',
  short: 'Runs with inherited',
  label: 'Runs with an inherited failure',
  definition: 'Share of runs in which an inherited defect fails at least one later stage.',
  unit: 'run',
  better: 'lower',
  observe: (run) => {
    // A run that nobody labelled would count only where it needs no label: where nothing failed.
    if (run.labels.length === 0) return [null];
    const stages = overFailedLaterStages(run, (stage) => labelIs(run, stage, 'inheritance', VALUES.any));
    if (stages.includes(1)) return [1];
    return [stages.includes(null) ? null : 0];
  },
};

/** The same share by experiment: earlier code was corrected, the stage replayed and graded again. */
export const measuredInheritance: Metric = {
  id: 'inherited-measured',
  short: 'Inherited, measured',
  label: 'Inherited failure, by experiment',
  definition:
    'Of the failed stages from m1 on that could be replayed on corrected earlier code, the share of which some or all failing tests then pass.',
  unit: 'stage',
  better: 'lower',
  observe: (run) =>
    overFailedLaterStages(run, (stage) => {
      const line = run.inheritance.find((candidate) => candidate.stage === stage);
      if (line === undefined || line.measurable !== true || line.value === null) return [null];
      return [Number(line.value !== 'none')];
    }),
};

function overFailedLaterStages(run: Run, observe: (stage: number) => Observation[]): Observation[] {
  return stagesFrom(run, 1).flatMap((stage) => {
    const { passed } = verdictAt(run, stage);
    if (passed === true) return [];
    return passed === null ? [null] : observe(stage);
  });
}
