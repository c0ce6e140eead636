import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readResults } from '#documents/read-results.js';
import { plainEnvironment } from '#process/index.js';
import { makeTemporaryFolder } from '#store/index.js';
import { makeTask } from '../support/make-task.js';

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await makeTemporaryFolder('resume');
  // Guests of a sandbox are other users: they must be able to reach what is mounted for them.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'tmp'));
  await makeTask(join(folder, 'tasks', 'sample'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function writeExperiment(agent: string): Promise<void> {
  const text = `name: pilot\ntasks: [tasks/*]\nagents: [${agent}]\nsandbox: {kind: bwrap}\n`;
  await writeFile(join(folder, 'pilot.yaml'), text);
}

/** As a user would: from the experiment's folder, with the default place for its runs, which is relative. */
function start() {
  const child = spawn(process.execPath, [BIN, 'run', 'pilot.yaml'], {
    cwd: folder,
    env: { ...plainEnvironment(), HOME: folder, FEATUREARC_HOME: 'home', TMPDIR: join(folder, 'tmp') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += String(data);
  });
  const ended = once(child, 'close').then(([code]) => ({ exitCode: code as number | null, stderr }));
  return { child, ended };
}

async function until(holds: () => boolean | Promise<boolean>, run: { child: ReturnType<typeof spawn> }) {
  while (run.child.exitCode === null && !(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const RUNS = ['runs', 'pilot'];

async function stageLines() {
  const text = await readFile(join(folder, ...RUNS, 'results.jsonl'), 'utf8');
  const { lines } = await readResults(text, 'results.jsonl');
  return lines.flatMap(({ value }) => (value.kind === 'stage' ? [value] : []));
}

describe('an experiment in its default folder', () => {
  it('goes on from its checkpoint after its process was killed in the midst of a stage', async () => {
    await writeExperiment('{name: slow, scaffold: scripted, options: {stages: [[], [sleep: 4s], []]}}');
    const first = start();
    const run = join(folder, ...RUNS, 'runs', 'slow', 'words-slug', '1');
    const atWork = async () => {
      const journal = await readFile(join(run, 'journal.jsonl'), 'utf8').catch(() => '');
      return journal.split('\n').filter((line) => line.includes('"stage-started"')).length === 2;
    };
    await until(atWork, first);
    first.child.kill('SIGKILL');
    await first.ended;
    const { exitCode, stderr } = await start().ended;
    expect(exitCode, stderr).toBe(0);
    expect((await stageLines()).map(({ outcome }) => outcome)).toEqual(['no-activity', 'completed', 'no-activity']);
  }, 300_000);

  it('holds nothing against an agent whose gates were cut short by Ctrl-C pressed twice', async () => {
    await writeExperiment('{name: oracle, scaffold: oracle}');
    for (const pause of [0, 150, 300, 450, 600, 750, 900]) {
      const run = start();
      await until(
        async () => (await readdir(join(folder, 'tmp'))).some((name) => name.startsWith('featurearc-grade-')),
        run,
      );
      await new Promise((resolve) => setTimeout(resolve, pause));
      run.child.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 50));
      run.child.kill('SIGINT');
      await run.ended;
    }
    const { exitCode, stderr } = await start().ended;
    expect(exitCode, stderr).toBe(0);
    expect((await stageLines()).map(({ f2p, p2p }) => [f2p, p2p])).toEqual(Array(3).fill([true, true]));
    for (const stage of ['0', '1', '2']) {
      const gate = join(folder, ...RUNS, 'runs', 'oracle', 'words-slug', '1', 'stages', stage, 'gate.json');
      expect(JSON.parse(await readFile(gate, 'utf8'))).toMatchObject({ marks: [] });
    }
  }, 300_000);
});
