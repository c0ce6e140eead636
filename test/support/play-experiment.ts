import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ExperimentReport, type ExperimentRequest, runExperiment } from '#evaluate/index.js';
import { createRepository } from '#git/index.js';
import { instantGrade } from './instant-grade.js';

export type ExperimentYaml = Record<string, unknown>;

/** Writes an experiment file beside a task folder named `task` and runs it with the instant gate. */
export async function playExperiment(
  folder: string,
  yaml: ExperimentYaml,
  request: Partial<ExperimentRequest> = {},
): Promise<ExperimentReport> {
  const file = join(folder, 'experiment.yaml');
  await writeFile(file, stringify({ name: 'pilot', tasks: ['task'], sandbox: { kind: 'local' }, ...yaml }));
  return runExperiment({ file, folder: join(folder, 'out'), toolVersion: 'test', grade: instantGrade, ...request });
}

/** results.jsonl without what time decides. */
export async function timelessResults(report: { results: string }): Promise<string[]> {
  const lines = (await readFile(report.results, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => {
    const value = JSON.parse(line) as Record<string, unknown>;
    return JSON.stringify({ ...value, seconds: null, overheadSeconds: null });
  });
}

/** Of every run below an experiment's folder: the trees that its snapshots hold. */
export async function snapshotTrees(experiment: string): Promise<Record<string, string>> {
  const trees: Record<string, string> = {};
  const runs = join(experiment, 'runs');
  for (const agent of await readdir(runs))
    for (const task of await readdir(join(runs, agent)))
      for (const attempt of await readdir(join(runs, agent, task))) {
        const repository = await createRepository(join(runs, agent, task, attempt, 'snapshots.git'));
        const { stdout } = await repository.git({
          args: ['for-each-ref', '--format=%(refname) %(tree)', 'refs/stages'],
        });
        trees[`${agent}/${task}/${attempt}`] = stdout.toString();
        await repository.close();
      }
  return trees;
}

/** The events of a run's journal. */
export async function journalEvents(
  experiment: string,
  run: string,
): Promise<{ at: string; type: string; data: Record<string, unknown> }[]> {
  const text = await readFile(join(experiment, 'runs', run, 'journal.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { at: string; type: string; data: Record<string, unknown> });
}

/** Writes a script for a scripted agent beside the experiment file. */
export async function writeScript(folder: string, name: string, stages: unknown[][]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), stringify({ stages }));
}
