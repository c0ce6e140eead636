import { appendFile, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTask } from '../../test/support/make-task.js';
import { openTaskPackage, sealTaskFolder } from './task-package.js';
import { withTemporaryFolder } from './temporary-folders.js';

async function withTask(work: (folder: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder('task-package-test', async (folder) => {
    await makeTask(join(folder, 'task'));
    await work(join(folder, 'task'));
  });
}

async function edit(path: string, change: (value: Record<string, unknown>) => void): Promise<void> {
  const value = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  change(value);
  await writeFile(path, JSON.stringify(value));
}

describe('a task package', () => {
  it('is read whole: documents, specs, suites with their files, commits of its states', async () => {
    await withTask(async (folder) => {
      const opened = await openTaskPackage(folder);
      expect(opened.task.stages).toHaveLength(3);
      expect(opened.states).toHaveLength(4);
      expect(opened.initialCommit).toMatch(/^[0-9a-f]{40}$/);
      expect(opened.requirement(2)).toContain('greatest length');
      expect(opened.criteria(0).criteria).toHaveLength(2);
      expect(opened.suite('chain').stage).toBe('chain');
      expect([...(await opened.suiteFiles(1)).tests.keys()]).toEqual(['test/shout.test.js', 'test/slug.test.js']);
      expect(() => opened.suite(3)).toThrow(/stage 3 asked of a task with stages 0 to 2/);
    });
  });

  it('keeps its digests when it is sealed again, and gets others when a hidden test changes', async () => {
    await withTask(async (folder) => {
      const before = await openTaskPackage(folder);
      await sealTaskFolder(folder);
      const sealed = await openTaskPackage(folder);
      expect(sealed.task).toEqual(before.task);
      await appendFile(join(folder, 'private/chain/tests/test/slug.test.js'), '// more\n');
      await expect(openTaskPackage(folder)).rejects.toMatchObject({ code: 'digest-mismatch' });
      await expect(sealed.suiteFiles('chain')).rejects.toMatchObject({ code: 'digest-mismatch' });
      await sealTaskFolder(folder);
      const changed = await openTaskPackage(folder);
      expect(changed.task.gateDigest).not.toBe(before.task.gateDigest);
      expect(changed.task.publicDigest).toBe(before.task.publicDigest);
    });
  });

  it.each<[string, string, string, (folder: string) => Promise<unknown>]>([
    ['a missing spec', 'file-missing', 'contract.md', (f) => rm(join(f, 'stages/1/contract.md'))],
    ['a missing suite', 'file-missing', 'suite.json', (f) => rm(join(f, 'private/chain/suite.json'))],
    [
      'a missing hidden test',
      'suite-invalid',
      'overlay.0',
      (f) => rm(join(f, 'private/stages/0/tests/test/shout.test.js')),
    ],
    [
      'a file nobody listed',
      'suite-invalid',
      'field overlay',
      (f) => writeFile(join(f, 'private/stages/0/tests/more.js'), ''),
    ],
    [
      'a newer document',
      'document-too-new',
      'field schema',
      (f) => edit(join(f, 'task.json'), (value) => (value.schema = 'featurearc/task@99')),
    ],
    [
      'a suite that leaves its tree',
      'suite-invalid',
      'overlay.0',
      (f) => edit(join(f, 'private/stages/0/suite.json'), (value) => (value.overlay = ['../../escape.js'])),
    ],
    [
      'a suite that runs files it does not bring',
      'suite-invalid',
      'runs.0.files.0',
      (f) =>
        edit(join(f, 'private/stages/0/suite.json'), (value) => {
          (value.runs as { files: string[] }[])[0] = {
            ...(value.runs as { files: string[] }[])[0],
            files: ['test/other.js'],
          };
        }),
    ],
    [
      'a link in a suite',
      'tree-unsafe',
      'a link',
      (f) => symlink('/etc/passwd', join(f, 'private/chain/tests/test/x.js')),
    ],
    ['a .git folder in a suite', 'tree-unsafe', '.git', (f) => mkdir(join(f, 'private/chain/tests/.git'))],
    ['a bundle cut short', 'bundle-damaged', 'pack is cut', (f) => truncate(join(f, 'private/states.bundle'), 900)],
    [
      'a changed spec',
      'digest-mismatch',
      'publicDigest',
      (f) => appendFile(join(f, 'stages/0/requirement.md'), '\nmore'),
    ],
    ['no JSON', 'document-not-json', 'task.json', (f) => writeFile(join(f, 'task.json'), '{')],
  ])('is refused with %s (%s)', async (_what, code, words, damage) => {
    await withTask(async (folder) => {
      await damage(folder);
      const refusal = await openTaskPackage(folder).catch((thrown: unknown) => thrown);
      expect(refusal).toMatchObject({ code, kind: 'input' });
      expect(String((refusal as Error).message)).toContain(words);
      expect((refusal as { hint: string | null }).hint).not.toBeNull();
    });
  });

  it('is refused where there is no folder', async () => {
    await expect(openTaskPackage('/nowhere/at/all')).rejects.toMatchObject({ code: 'file-missing' });
  });
});
