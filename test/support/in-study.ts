import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '#store/index.js';
import { REPORT_FORMATS, type Study, studyExperiment } from '#study/index.js';
import { HOSTILE_NAMES } from './hostile-names.js';
import { type MadeResults, makeResults } from './make-results.js';

export const DEMO_RESULTS: MadeResults = {
  seed: 'd',
  agents: ['oracle', 'nop', 'faulty'],
  tasks: [{ name: 'tasklist', stages: 4 }],
  experiment: 'demo',
};
/** Names of agents and tasks that attack every format the report is written in. */
export const HOSTILE_RESULTS: MadeResults = {
  seed: 'h',
  agents: HOSTILE_NAMES,
  tasks: HOSTILE_NAMES.map((name, place) => ({ name, stages: 2 + (place % 4) })),
  attempts: 2,
  unfinished: 0.05,
  experiment: HOSTILE_NAMES[0] ?? null,
};

/** Studies made results in a temporary folder, every format written, and hands over the study and the report's folder. */
export async function inStudy(made: MadeResults, work: (study: Study, folder: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder('study', async (folder) => {
    await writeFile(join(folder, 'results.jsonl'), makeResults(made));
    const study = await studyExperiment({
      resultsPaths: [join(folder, 'results.jsonl')],
      outDir: join(folder, 'report'),
      formats: REPORT_FORMATS,
      resamples: 200,
    });
    await work(study, join(folder, 'report'));
  });
}
