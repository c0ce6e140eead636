import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { taskLayout } from '#documents/layout.js';
import { suiteDocument } from '#documents/suite.js';
import { taskDocument } from '#documents/task.js';
import { createRepository, materialise } from '#git/index.js';
import { runProcess } from '#process/index.js';
import { makeTask } from './make-task.js';

describe('the sample task of the tests', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'make-task-test-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('holds what it says: each state passes its own tests and fails those of the next stage', async () => {
    const task = await makeTask(join(folder, 'task'));
    const layout = taskLayout(task);
    expect(taskDocument.parse(await readFile(layout.document, 'utf8'), 'task.json').stages).toHaveLength(3);
    expect(suiteDocument.parse(await readFile(layout.suite('chain'), 'utf8'), 'suite.json').tests).toHaveLength(5);
    const repository = await createRepository(join(folder, 'repository.git'));
    const heads = await repository.git({ args: ['bundle', 'unbundle', layout.states] });
    const commits = heads.stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
    const env = { PATH: process.env.PATH ?? '' };
    for (const state of [0, 1, 2, 3]) {
      const work = join(folder, `s${state}`);
      await materialise(repository, await repository.files(commits[state] ?? ''), work);
      expect((await runProcess({ argv: ['node', '--test'], cwd: work, env })).exitCode).toBe(0);
      if (state === 3) continue;
      const next = await readFile(join(layout.suiteTests(state), 'test/slug.test.js'));
      await writeFile(join(work, 'test/slug.test.js'), next);
      expect((await runProcess({ argv: ['node', '--test'], cwd: work, env })).exitCode).toBe(1);
    }
    await repository.close();
  });

  it('has twins that fail where the real test passes, and name ranges that hold the name', async () => {
    const task = await makeTask(join(folder, 'task'), { stages: 1 });
    const layout = taskLayout(task);
    const suite = suiteDocument.parse(await readFile(layout.suite(0), 'utf8'), 'suite.json');
    for (const twin of suite.twins) {
      const text = Buffer.from(twin.text);
      expect(text.subarray(twin.nameStart, twin.nameEnd).toString()).toBe(twin.path.at(-1));
      expect((await readFile(join(layout.suiteTests(0), twin.file))).length).toBe(twin.insertAt);
    }
    expect(suite.twins).toHaveLength(1);
  });
});
