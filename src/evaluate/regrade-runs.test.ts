import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealTaskFolder } from '#store/index.js';
import { instantGrade } from '../../test/support/instant-grade.js';
import { playExperiment } from '../../test/support/play-experiment.js';
import { withTask } from '../../test/support/with-task.js';
import { GRADER_VERSION } from './gate/index.js';
import { regradeRuns } from './regrade-runs.js';
import type { GradeSnapshot } from './run-request.js';

const PAIR = {
  agents: [
    { name: 'oracle', scaffold: 'oracle' },
    { name: 'nop', scaffold: 'nop' },
  ],
};

/** Verdicts are what this is about, not how they come about. */
const grade: GradeSnapshot = async (request) => {
  const { verdict, output } = await instantGrade(request);
  return { verdict: { ...verdict, grader: GRADER_VERSION }, output };
};

function withExperiment(work: (folder: string, task: string) => Promise<void>): Promise<void> {
  return withTask(
    async (task, folder) => {
      const report = await playExperiment(folder, PAIR, { grade });
      await work(report.folder, task.folder);
    },
    { stages: 1 },
  );
}

async function gateLines(folder: string): Promise<string[]> {
  const lines = (await readFile(join(folder, 'results.jsonl'), 'utf8')).trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ kind }) => kind !== 'task')
    .map(({ agent, kind, f2p, p2p }) => `${agent} ${kind} ${f2p} ${p2p}`);
}

const HELD = ['nop stage false true', 'nop chain false true', 'oracle stage true true', 'oracle chain true true'];

describe('grading again', () => {
  it('lets verdicts stand, renews those of a changed suite beside the old ones, and all when asked', async () => {
    await withExperiment(async (folder, task) => {
      expect(await gateLines(folder)).toEqual(HELD);
      expect(await regradeRuns({ grade, folder })).toMatchObject({ standing: 4, renewed: [], failed: [] });

      await appendFile(join(task, 'private/stages/0/tests/test/slug.test.js'), '// another comment\n');
      await sealTaskFolder(task);
      const first = await regradeRuns({ grade, folder, agent: 'oracle' });
      expect(first.renewed.map(({ agent, place, why }) => `${agent} ${place} ${why}`)).toEqual([
        'oracle 0 the hidden suite has changed',
      ]);
      expect(first.renewed[0]).toMatchObject({ before: { f2p: true, p2p: true }, after: { f2p: true, p2p: true } });
      // Not renewed yet, so nothing is known of it under today's suite.
      expect(await gateLines(folder)).toEqual(['nop stage null null', ...HELD.slice(1)]);
      expect((await regradeRuns({ grade, folder })).renewed.map(({ agent }) => agent)).toEqual(['nop']);
      expect(await gateLines(folder)).toEqual(HELD);

      const run = join(folder, 'runs', 'oracle', 'words-slug', '1');
      const old = JSON.parse(await readFile(join(run, 'stages', '0', 'gate.json'), 'utf8')) as { id: string };
      const [id = ''] = await readdir(join(run, 'regrades'));
      const renewed = JSON.parse(await readFile(join(run, 'regrades', id, 'gate.json'), 'utf8')) as object;
      expect(renewed).toMatchObject({ id, derivedFrom: old.id, f2p: true });

      const all = await regradeRuns({ grade, folder, all: true, agent: 'nop' });
      expect(all.renewed.map(({ why }) => why)).toEqual(['asked for', 'asked for']);
      expect(await gateLines(folder)).toEqual(HELD);
    });
  });

  it('holds gates that were never held, and refuses a task whose public half is another', async () => {
    await withExperiment(async (folder, task) => {
      await rm(join(folder, 'runs', 'nop', 'words-slug', '1', 'chain'), { recursive: true });
      expect((await regradeRuns({ grade, folder })).renewed.map(({ place, why }) => `${place} ${why}`)).toEqual([
        'chain never graded',
      ]);
      expect(await gateLines(folder)).toEqual(HELD);
      await appendFile(join(task, 'stages/0/requirement.md'), '\nMore.\n');
      await sealTaskFolder(task);
      await expect(regradeRuns({ grade, folder })).rejects.toMatchObject({ code: 'task-changed' });
      await expect(regradeRuns({ grade, folder, agent: 'nobody' })).rejects.toMatchObject({ kind: expect.any(String) });
    });
  });
});
