import type { Metric } from './metric.js';
import type { Run } from './run.js';
import { verdictAt } from './verdict-view.js';

/** Depth: how far along its chain a run gets before it first fails. */
export const prefixDepth: Metric = {
  id: 'depth',
  short: 'Depth',
  label: 'Prefix depth',
  definition: 'Stages passed in a row before the first failure, divided by chain length; mean over runs.',
  unit: 'run',
  better: 'higher',
  observe: (run) => {
    const end = firstNotPassed(run);
    if (end !== run.length && verdictAt(run, end).passed === null) return [null];
    return run.length === 0 ? [] : [end / run.length];
  },
};

function firstNotPassed(run: Run): number {
  const end = run.stages.findIndex((_, stage) => verdictAt(run, stage).passed !== true);
  return end === -1 ? run.length : end;
}
