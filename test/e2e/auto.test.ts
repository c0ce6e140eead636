import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Funnel, funnelDocument } from '#documents/funnel.js';
import { autoLayout, taskLayout } from '#documents/layout.js';
import { provenanceDocument } from '#documents/provenance.js';
import { plainEnvironment } from '#process/index.js';
import { makeTemporaryFolder } from '#store/index.js';
import { type Answer, featurearc } from '../support/command-line.js';
import { slugHistory } from '../support/slug-history.js';

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

describe('tasks from a repository, unattended', () => {
  let folder: string;
  let first: Answer;
  const out = (): string => join(folder, 'auto');
  const auto = (...more: string[]): Promise<Answer> =>
    featurearc(
      ['auto', join(folder, 'words.git'), '--out', out(), '--repeats', '1', '--stop-after', '1', '--json', ...more],
      {
        home: join(folder, 'home'),
      },
    );
  const funnel = async (): Promise<Funnel> =>
    funnelDocument.parse(await readFile(autoLayout(out()).funnel, 'utf8'), 'funnel.json');

  beforeAll(async () => {
    folder = await makeTemporaryFolder('auto-test');
    slugHistory(join(folder, 'words.git'));
    first = await auto();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('mines, builds and admits a task with its evidence, and leaves nothing half-made', async () => {
    expect(first.exitCode, first.stderr).toBe(0);
    const { counts, chains, ended } = await funnel();
    expect(ended).toBe('enough');
    expect(counts).toMatchObject({ admitted: 1, built: 1, rebuilt: 1 });
    const [task = ''] = await readdir(autoLayout(out()).tasks);
    expect(chains.find(({ outcome }) => outcome === 'admitted')).toMatchObject({ task });
    const file = taskLayout(join(autoLayout(out()).tasks, task)).provenance;
    const { chain } = provenanceDocument.parse(await readFile(file, 'utf8'), file);
    expect(chain?.edges.length).toBeGreaterThan(0);
    expect((await readdir(out())).sort()).toEqual(['attempts.jsonl', 'funnel.json', 'mined', 'tasks']);
  });

  it('gives machines the funnel, with every attempt', async () => {
    const answer = JSON.parse(first.stdout);
    expect(answer).toMatchObject({ counts: (await funnel()).counts, folder: out() });
    for (const { attempts } of answer.chains)
      for (const { failed } of attempts) expect(failed).toMatch(/states|build|check|none/);
  });

  it('tries nothing twice', async () => {
    const before = await readFile(autoLayout(out()).journal, 'utf8');
    expect(await auto()).toMatchObject({ exitCode: 0 });
    expect(await readFile(autoLayout(out()).journal, 'utf8')).toBe(before);
  });

  it('refuses to go on with other options, and where its log was edited', async () => {
    const other = await auto('--sandbox', 'local', '--repeats', '2');
    expect(other).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/attempts\.jsonl.*other options/) });
    const journal = autoLayout(out()).journal;
    await writeFile(journal, (await readFile(journal, 'utf8')).replace('states-hold', 'states-help'));
    expect(await auto()).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/attempts\.jsonl: line \d/) });
  });

  it('ends when it is interrupted, says how far it came, and leaves nothing half-made', async () => {
    const at = join(folder, 'interrupted');
    const child = spawn(process.execPath, [BIN, 'auto', join(folder, 'words.git'), '--out', at, '--repeats', '3'], {
      env: { ...plainEnvironment(), HOME: folder, FEATUREARC_HOME: join(folder, 'home') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    child.stdout.on('data', (said: Buffer) => {
      stdout += said.toString();
    });
    child.stderr.on('data', (said: Buffer) => {
      if (/^environment: /m.test(said.toString())) child.kill('SIGINT');
    });
    const [exitCode] = (await once(child, 'close')) as [number | null];
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/[1-9] {2}with reference states\n[\s\S]*stopped; the same command goes on/);
    expect((await readdir(at)).sort()).toEqual(['attempts.jsonl', 'funnel.json', 'mined']);
  });

  it('ends as partial where the time is up, and as no where no task came of it', async () => {
    const hurried = await featurearc(
      ['auto', join(folder, 'words.git'), '--out', join(folder, 'hurried'), '--budget', '0s'],
      { home: join(folder, 'home') },
    );
    expect(hurried).toMatchObject({ exitCode: 5, stdout: expect.stringMatching(/the time was up/) });
    const none = await featurearc(
      ['auto', join(folder, 'words.git'), '--out', join(folder, 'none'), '--until', '2017-07-20'],
      { home: join(folder, 'home') },
    );
    expect(none).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/0 task\(s\)/) });
  });
});
