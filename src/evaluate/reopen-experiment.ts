import type { Experiment } from '#documents/experiment.js';
import { Fault } from '#kernel/faults.js';
import { cacheRoot, environmentFolder, openTaskPackage } from '#store/index.js';
import { type PlannedTask, plannedTask } from './plan/index.js';
import { countWords } from './protocols/index.js';

/** An experiment that was run, with its tasks as they are today. */
export interface OpenedExperiment {
  experiment: Experiment;
  tasks: ReadonlyMap<string, PlannedTask>;
}

/**
 * Opens the tasks of an experiment again, or the one asked for, and takes on the suites that they have today.
 * @throws Fault `task-changed` (input) where what agents saw is no longer the same; `run-unknown` (usage)
 */
export async function reopenExperiment(
  experiment: Experiment,
  request: { folder: string; task?: string; agent?: string },
): Promise<OpenedExperiment> {
  const tasks = new Map<string, PlannedTask>();
  const rows: Experiment['tasks'] = [];
  for (const row of experiment.tasks) {
    if (request.task !== undefined && row.id !== request.task) {
      rows.push(row);
      continue;
    }
    const opened = await openTaskPackage(row.folder);
    if (opened.task.id !== row.id || opened.task.publicDigest !== row.publicDigest)
      throw new Fault({
        code: 'task-changed',
        kind: 'input',
        message: `${row.folder}: what an agent can see of task ${row.id} is no longer what the runs of ${request.folder} saw`,
        hint: 'Restore the task as it was; a changed public half needs new runs, not new verdicts.',
      });
    const { digest, recipe } = opened.environment;
    const content = recipe.kind === 'empty' ? null : await environmentFolder(cacheRoot(), digest);
    tasks.set(row.id, { package: opened, environmentFolder: content });
    rows.push(plannedTask(opened, countWords));
  }
  for (const [what, name, known] of [
    ['task', request.task, experiment.tasks.map(({ id }) => id)],
    ['agent', request.agent, experiment.agents.map(({ name: agent }) => agent)],
  ] as const) {
    if (name === undefined || known.includes(name)) continue;
    throw new Fault({
      code: 'run-unknown',
      kind: 'usage',
      message: `${request.folder} has no ${what} ${JSON.stringify(name)}`,
      hint: `It has ${known.join(', ')}.`,
    });
  }
  return { experiment: { ...experiment, tasks: rows }, tasks };
}
