// Kills the harness at random moments and goes on until done: kills [--n 100] [--seed 1] [--task DIR] [--sandbox bwrap] [--agents oracle,command]
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '#kernel/random.js';
import { makeTask } from '../test/support/make-task.js';
import { journalEvents, snapshotTrees, timelessResults } from '../test/support/play-experiment.js';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    task: { type: 'string' },
    sandbox: { type: 'string', default: 'bwrap' },
    agents: { type: 'string', default: 'oracle,faulty,command' },
  },
});
const random = seededRandom(`kills/${values.seed}`);
const kills = Number(values.n);
const CLI = resolve('dist/bin.js');

/** Kills of one experiment, after which it is left to end in peace; and how many of them fall while agents work. */
const MOST_KILLS = 10;
const EARLY_KILLS = 6;

/** Leaves a process that writes into the workspace for as long as it lives, and has work that takes a moment. */
const COMMAND =
  'echo "stage $FEATUREARC_STAGE" >> notes.txt; git add -A; git commit -qm "stage $FEATUREARC_STAGE"; ' +
  '(while :; do date >> .git/heartbeat; sleep 0.02; done) & sleep 0.8';
const AGENTS: Record<string, string> = {
  oracle: '  - {name: oracle, scaffold: oracle}',
  nop: '  - {name: nop, scaffold: nop}',
  faulty: '  - {name: faulty, scaffold: faulty, options: {stage: 0, seed: 7}}',
  command: `  - name: command\n    scaffold: command\n    options: {command: ${JSON.stringify(COMMAND)}}`,
};

interface Ended {
  exitCode: number | null;
  killed: boolean;
  errors: string;
  ms: number;
  startedAt: number;
}

const home = await mkdtemp(join(tmpdir(), 'bench-kills-'));
// The sandbox's user must be able to pass through it to temporary folders.
await chmod(home, 0o755);
const failures: string[] = [];
try {
  await measure();
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
}
process.exitCode = failures.length === 0 ? 0 : 1;

async function measure(): Promise<void> {
  const task = values.task === undefined ? await makeTask(join(home, 'task')) : resolve(values.task);
  const file = join(home, 'kills.yaml');
  const agents = values.agents.split(',').map((name) => AGENTS[name] ?? '');
  await writeFile(
    file,
    `name: kills\ntasks: [${JSON.stringify(task)}]\nagents:\n${agents.join('\n')}\nsandbox: {kind: ${values.sandbox}}\nconcurrency: {runs: 2, grading: 2}\n`,
  );
  const whole = join(home, 'whole');
  const first = await runOnce(file, whole, null);
  if (first.exitCode !== 0) throw new Error(`the uninterrupted run ended with ${first.exitCode}: ${first.errors}`);
  const expected = {
    results: await timelessResults({ results: join(whole, 'results.jsonl') }),
    trees: await snapshotTrees(whole),
  };
  const workMs = await agentsEndedAfter(whole, Object.keys(expected.trees), first.startedAt);
  console.log(
    `uninterrupted: ${(first.ms / 1000).toFixed(1)} s (agents ${(workMs / 1000).toFixed(1)} s), ${expected.results.length} result lines`,
  );

  let hits = 0;
  let experiments = 0;
  let abandoned = 0;
  while (hits < kills) {
    experiments += 1;
    const folder = join(home, `killed-${experiments}`);
    let own = 0;
    for (;;) {
      // Agents work only at the beginning, gates take most of the time: the first kills of an experiment fall early.
      const early = own < EARLY_KILLS || random.next() < 0.25;
      const spared = hits >= kills || own >= MOST_KILLS;
      const moment = spared ? null : random.next() * (early ? workMs : first.ms);
      const ended = await runOnce(file, folder, moment);
      if (!ended.killed) {
        if (ended.exitCode !== 0) fail(`experiment ${experiments} ended with ${ended.exitCode}: ${ended.errors}`);
        break;
      }
      hits += 1;
      own += 1;
    }
    abandoned += await compare(folder, expected, `experiment ${experiments} (${own} kills)`);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    console.log(
      `${hits}/${kills} kills, ${experiments} experiments, ${abandoned} attempts given up, ${failures.length} failures`,
    );
  }
  console.log(
    failures.length === 0 ? 'equal to the uninterrupted run, nothing redone, nothing left' : failures.join('\n'),
  );
}

function fail(what: string): void {
  failures.push(what);
  console.log(`FAILED ${what}`);
}

/** Runs the command line once; with a moment (in ms) it is killed then, unless it has ended before. */
async function runOnce(file: string, folder: string, moment: number | null): Promise<Ended> {
  const temporary = join(home, 'tmp');
  await mkdir(temporary, { recursive: true });
  const startedAt = Date.now();
  const child = spawn(process.execPath, [CLI, '--quiet', 'run', file, '--out', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  let killed = false;
  const timer =
    moment === null
      ? null
      : setTimeout(() => {
          killed = true;
          child.kill('SIGKILL');
        }, moment);
  const exitCode = await new Promise<number | null>((done) => child.once('exit', done));
  if (timer !== null) clearTimeout(timer);
  return { exitCode, killed: killed && exitCode === null, errors, ms: Date.now() - startedAt, startedAt };
}

/** Milliseconds after its start at which the last agent of an experiment had ended. */
async function agentsEndedAfter(folder: string, runs: string[], startedAt: number): Promise<number> {
  let last = startedAt;
  for (const run of runs)
    for (const { type, at } of await journalEvents(folder, run))
      if (type === 'agent-ended') last = Math.max(last, Date.parse(at));
  return last - startedAt;
}

/** Compares a finished experiment with the uninterrupted one. @returns how many attempts were given up in it */
async function compare(
  folder: string,
  expected: { results: string[]; trees: Record<string, string> },
  what: string,
): Promise<number> {
  const results = await timelessResults({ results: join(folder, 'results.jsonl') });
  for (const [index, line] of expected.results.entries())
    if (results[index] !== line) fail(`${what}: results differ:\n  ${results[index]}\n  ${line}`);
  const trees = await snapshotTrees(folder);
  if (JSON.stringify(trees) !== JSON.stringify(expected.trees)) fail(`${what}: snapshot trees differ`);
  let abandoned = 0;
  for (const run of Object.keys(trees)) {
    const events = await journalEvents(folder, run);
    abandoned += events.filter(({ type }) => type === 'stage-abandoned').length;
    const ended = new Set<unknown>();
    const graded = new Set<unknown>();
    for (const { type, data } of events) {
      if (type === 'stage-started' && ended.has(data.stage)) fail(`${what}: ${run}: stage ${data.stage} done again`);
      if (type === 'stage-ended') ended.add(data.stage);
      if (type === 'gate-started' && graded.has(data.place)) fail(`${what}: ${run}: gate ${data.place} held again`);
      if (type === 'gate-ended') graded.add(data.place);
    }
  }
  for (const left of await leftovers()) fail(`${what}: left behind: ${left}`);
  return abandoned;
}

/** Processes that see or name this bench's folders, mounts of them, containers and temporary folders. */
async function leftovers(): Promise<string[]> {
  const left: string[] = [];
  const mine = basename(home);
  for (const pid of (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))) {
    if (Number(pid) === process.pid || Number(pid) === process.ppid) continue;
    const read = async (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
    const ours = (await read('environ')).includes(mine) || (await read('cmdline')).includes(mine);
    if (ours || (await read('mountinfo')).includes(mine))
      left.push(`process ${pid} ${(await read('cmdline')).split('\0').join(' ')}`);
  }
  if ((await readFile('/proc/self/mountinfo', 'latin1')).includes(mine)) left.push('a mount');
  for (const name of await readdir(join(home, 'tmp'))) left.push(`temporary folder ${name}`);
  if (values.sandbox === 'docker') left.push(...(await containers(mine)));
  return left;
}

async function containers(mine: string): Promise<string[]> {
  const child = spawn('docker', ['ps', '-a', '--no-trunc', '--format', '{{.ID}} {{.Mounts}}'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  await new Promise((done) => child.once('close', done));
  return text
    .split('\n')
    .filter((line) => line.includes(mine))
    .map((line) => `container ${line}`);
}
