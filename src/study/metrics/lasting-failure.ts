import type { Metric, Observation } from './metric.js';
import type { Run } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';

/** How much of the rest of a chain fails once one stage has failed. */
export const lastingFailure: Metric = {
  id: 'lasting-failure',
  short: 'Rest fails',
  label: 'Remaining stages failing after the first failure',
  definition: 'Share of the stages after the first failed one that fail too; mean over runs that have such stages.',
  unit: 'run',
  better: 'lower',
  observe: (run) => shareFailing(run),
};

function shareFailing(run: Run): Observation[] {
  const first = run.stages.findIndex((_, stage) => verdictAt(run, stage).passed !== true);
  if (first === -1) return [];
  if (verdictAt(run, first).passed === null) return [null];
  const rest = stagesFrom(run, first + 1).map((stage) => verdictAt(run, stage).passed);
  if (rest.length === 0) return [];
  return rest.includes(null) ? [null] : [rest.filter((passed) => passed === false).length / rest.length];
}
