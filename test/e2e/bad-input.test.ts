import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '#store/index.js';
import { featurearc } from '../support/command-line.js';

describe('what is wrong is said with what to do, and without a stack', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeTemporaryFolder('bad-input');
    await mkdir(join(folder, 'empty'));
    await writeFile(
      join(folder, 'bad.yaml'),
      'name: pilot\ntasks: [tasks/*]\nagents:\n  - {name: a, scaffold: nothing}\n',
    );
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const cases: { title: string; args: (folder: string) => string[]; exit: number; says: RegExp }[] = [
    { title: 'an unknown command', args: () => ['nonsense'], exit: 2, says: /unknown command/ },
    { title: 'a missing option', args: () => ['build', 'x'], exit: 2, says: /--stage|--out/ },
    {
      title: 'a value that is no number',
      args: () => ['check', 'x', '--repeats', 'many'],
      exit: 2,
      says: /whole number/,
    },
    {
      title: 'a folder that is no repository',
      args: (at) => ['build', join(at, 'empty'), '--stage', 'HEAD', '--out', join(at, 'tasks')],
      exit: 3,
      says: /not a git repository/,
    },
    { title: 'a task that is not there', args: (at) => ['check', join(at, 'nowhere')], exit: 3, says: /nowhere/ },
    {
      title: 'an experiment with an unknown scaffold',
      args: (at) => ['run', join(at, 'bad.yaml')],
      exit: 3,
      says: /bad\.yaml.*agents/s,
    },
    {
      title: 'results that are not there',
      args: (at) => ['report', '--results', join(at, 'none.jsonl')],
      exit: 3,
      says: /none\.jsonl/,
    },
  ];
  for (const { title, args, exit, says } of cases) {
    it(title, async () => {
      const answer = await featurearc(args(folder), { cwd: folder });
      expect(answer.stderr).toMatch(says);
      expect(answer.exitCode).toBe(exit);
      expect(answer.stderr).not.toMatch(/^\s+at /m);
      expect(answer.stdout).toBe('');
    });
  }

  it('gives machines the same as JSON', async () => {
    const answer = await featurearc(['--json', 'check', join(folder, 'nowhere')]);
    expect(JSON.parse(answer.stdout)).toMatchObject({ error: { kind: 'input', hint: expect.any(String) } });
  });
});
