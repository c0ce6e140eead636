import { type Experiment, experimentDocument } from '#documents/experiment.js';
import { experimentLayout } from '#documents/layout.js';
import type { ResultLine } from '#documents/results.js';
import { runSummaryDocument } from '#documents/run-summary.js';
import { readText, readTextIfAny, writeFileAtomic } from '#store/index.js';
import { readVerdicts } from './read-verdicts.js';
import { type RunFacts, runLines } from './result-lines.js';
import { readRunState } from './run-journal.js';
import { summariseRun } from './summarise-run.js';

/** An experiment's resolved document. @throws Fault (input) where the folder holds none */
export async function readExperimentDocument(folder: string): Promise<Experiment> {
  const { document } = experimentLayout(folder);
  const text = await readText(document, 'Give the folder of an experiment that was run.');
  return experimentDocument.parse(text, document);
}

/**
 * Derives results.jsonl and every run.json again from journals and verdicts: tasks, then each run's stages and chain,
 * sorted by agent, task and attempt. Equal journals and verdicts give equal lines.
 */
export async function writeResults(folder: string, experiment: Experiment): Promise<ResultLine[]> {
  const layout = experimentLayout(folder);
  const runs = await readRuns(folder, experiment);
  const lines = linesOf(experiment, runs);
  for (const facts of runs) await writeSummary(folder, facts);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  if ((await readTextIfAny(layout.results)) !== text) await writeFileAtomic(layout.results, text);
  return lines;
}

function linesOf(experiment: Experiment, runs: readonly RunFacts[]): ResultLine[] {
  return [...byName(experiment.tasks, ({ id }) => id).map(({ line }) => line), ...runs.flatMap(runLines)];
}

/** Every run that the experiment asks for, in the order of its results, whether or not it has begun. */
async function readRuns(folder: string, experiment: Experiment): Promise<RunFacts[]> {
  const runs: RunFacts[] = [];
  for (const agent of byName(experiment.agents, ({ name }) => name)) {
    for (const task of byName(experiment.tasks, ({ id }) => id)) {
      for (let attempt = 1; attempt <= experiment.protocol.attempts; attempt += 1) {
        const run = experimentLayout(folder).run({ agent: agent.name, task: task.id, attempt });
        const state = await readRunState(run.journal);
        const places = [...Array(task.stages).keys(), 'chain' as const];
        const verdicts = await readVerdicts(run, places);
        runs.push({ experiment, task, agent: agent.name, attempt, state, verdicts });
      }
    }
  }
  return runs;
}

async function writeSummary(folder: string, facts: RunFacts): Promise<void> {
  if (facts.state.processes === 0) return;
  const { agent, task, attempt } = facts;
  const path = experimentLayout(folder).run({ agent, task: task.id, attempt }).summary;
  const text = runSummaryDocument.print(summariseRun(facts));
  if ((await readTextIfAny(path)) !== text) await writeFileAtomic(path, text);
}

function byName<T>(rows: readonly T[], name: (row: T) => string): T[] {
  return [...rows].sort((a, b) => (name(a) < name(b) ? -1 : 1));
}
