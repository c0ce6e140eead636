import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.js';
import { silentProgress } from '#kernel/events.js';
import { openTaskPackage, sealTaskFolder, withTemporaryFolder } from '#store/index.js';
import { makeTask } from '../../test/support/make-task.js';
import { checkTask } from './check-task.js';

const REQUEST = {
  repeats: 1,
  sandbox: { kind: 'local' as const, limits: { pids: 512, memoryBytes: null, cpus: null, diskBytes: null } },
  environmentFolder: null,
  concurrency: 2,
  scanSpecs: async () => [],
  clock: systemClock,
  label: 'check-test',
};

function check(change: (folder: string) => Promise<void>, extraFiles: Record<string, string> | null = null) {
  return withTemporaryFolder('check-test', async (parent) => {
    const folder = await makeTask(join(parent, 'task'), {
      stages: extraFiles === null ? 2 : 1,
      extraFiles: extraFiles ?? {},
    });
    await change(folder);
    await sealTaskFolder(folder);
    return checkTask(await openTaskPackage(folder), REQUEST, silentProgress);
  });
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}

const codes = (report: { findings: { severity: string; code: string }[] }) => [
  ...new Set(report.findings.filter(({ severity }) => severity === 'refusal').map(({ code }) => code)),
];

describe('checking a task', () => {
  it('admits a sound one, noting what a reader should know', async () => {
    const report = await check(async () => undefined, { 'AGENTS.md': 'Be good.\n' });
    expect(codes(report)).toEqual([]);
    expect(report.ok).toBe(true);
    expect(report.findings.map(({ code, file }) => `${code} ${file}`)).toContain('agent-settings AGENTS.md');
  });

  it('refuses settings that stand between an agent and its tools', async () => {
    const report = await check(async () => undefined, { '.claude/settings.json': '{"hooks":{}}' });
    expect(codes(report)).toEqual(['agent-settings-intercept']);
    expect(report.findings[0]).toMatchObject({ file: '.claude/settings.json', field: 'hooks' });
  });

  it('refuses a suite that the reference fails, and names the test', async () => {
    const report = await check((folder) =>
      edit(join(folder, 'private/stages/1/tests/test/slug.test.js'), (text) =>
        text.replace("'hello-world'", "'hello-venus'"),
      ),
    );
    expect(report.ok).toBe(false);
    expect(codes(report)).toContain('oracle-fails');
    expect(report.findings[0]?.message).toContain('slug joins words');
    expect(report.findings[0]?.file).toBe('private/stages/1/suite.json');
  });

  it('refuses a twin that passes on the reference, an F2P test that passes before, a test without criterion', async () => {
    const report = await check(async (folder) => {
      const suite = join(folder, 'private/stages/0/suite.json');
      await edit(suite, (text) => text.replace('hello_world', 'hello-world'));
      await edit(suite, (text) => text.replace('"kind": "p2p"', '"kind": "f2p"'));
      await edit(join(folder, 'private/stages/1/criteria.json'), (text) => {
        const document = JSON.parse(text) as { criteria: { tests: string[] }[] };
        return JSON.stringify({ ...document, criteria: document.criteria.map((one) => ({ ...one, tests: [] })) });
      });
    });
    expect(codes(report).sort()).toEqual(['f2p-passes-before', 'test-without-criterion', 'twin-does-not-fail']);
  });
});
