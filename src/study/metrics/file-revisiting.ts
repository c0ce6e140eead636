import type { Metric } from './metric.js';
import { stagesFrom } from './verdict-view.js';

/** How much of what a later stage changes the agent had changed before. */
export const fileRevisiting: Metric = {
  id: 'file-revisiting',
  short: 'Revisited files',
  label: 'Share of changed files that were changed before',
  definition:
    'Of the files that a stage from m1 on changes, the share that the agent changed in an earlier stage; mean over stages.',
  unit: 'stage',
  better: null,
  observe: (run) =>
    stagesFrom(run, 1).flatMap((stage) => {
      const line = run.stages[stage]?.line;
      if (line === undefined || line.changedFiles === null || line.revisitedFiles === null) return [null];
      return line.changedFiles === 0 ? [] : [Math.min(1, line.revisitedFiles / line.changedFiles)];
    }),
};
