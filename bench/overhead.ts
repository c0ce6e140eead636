// The harness's own time per stage: overhead [--stages 50] [--task DIR] [--sandbox bwrap,docker] [--gates]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Verdict } from '#documents/verdict.js';
import { type GradeSnapshot, runExperiment } from '#evaluate/index.js';
import { createRepository, materialise } from '#git/index.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import { openTaskPackage } from '#store/index.js';
import { makeTask } from '../test/support/make-task.js';

const { values } = parseArgs({
  options: {
    stages: { type: 'string', default: '50' },
    task: { type: 'string' },
    sandbox: { type: 'string', default: 'bwrap' },
    /** With real gates beside the agents, as in a real run; without, nothing else competes for the machine. */
    gates: { type: 'boolean', default: false },
  },
});
/** The oracle acts from the host; the other agent runs a program in its sandbox. */
const AGENTS = ['oracle', 'command'];
const home = await mkdtemp(join(tmpdir(), 'bench-overhead-'));
try {
  const folder = values.task === undefined ? await makeTask(join(home, 'task')) : resolve(values.task);
  const copyMs = await timeCopies(folder);
  console.log(
    `${cpus().length} cores, gates ${values.gates ? 'beside' : 'off'}; cp -a of the workspace: p50 ${copyMs.toFixed(1)} ms`,
  );
  for (const kind of values.sandbox.split(',')) await measure(folder, kind, copyMs);
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
}

async function measure(task: string, kind: string, copyMs: number): Promise<void> {
  const stages = (await openTaskPackage(task)).task.stages.length;
  const attempts = Math.ceil(Number(values.stages) / stages / AGENTS.length);
  const file = join(home, 'overhead.yaml');
  await writeFile(
    file,
    `name: overhead\ntasks: [${JSON.stringify(task)}]\nagents: [{name: oracle, scaffold: oracle}, {name: command, scaffold: command, options: {command: 'true'}}]\nprotocol: {attempts: ${attempts}}\nsandbox: {kind: ${kind}}\n`,
  );
  const folder = join(home, kind);
  const grade = values.gates ? {} : { grade: everythingPasses };
  const report = await runExperiment({ file, folder, toolVersion: 'bench', ...grade });
  const lines = report.lines.flatMap((line) => (line.kind === 'stage' && line.overheadSeconds !== null ? [line] : []));
  const show = (name: string, some: typeof lines): void => {
    const ms = some.map(({ overheadSeconds }) => (overheadSeconds ?? 0) * 1000).sort((a, b) => a - b);
    const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(share * ms.length))] ?? Number.NaN;
    console.log(
      `${kind.padEnd(7)} ${name.padEnd(34)} p50 ${at(0.5).toFixed(0)} ms (${(at(0.5) / copyMs).toFixed(1)} x cp), p95 ${at(0.95).toFixed(0)} ms (${(at(0.95) / copyMs).toFixed(1)} x cp)`,
    );
  };
  show(`all ${lines.length} stages`, lines);
  for (const agent of AGENTS) {
    const own = lines.filter((line) => line.agent === agent);
    show(
      `${agent}, first (opens a sandbox)`,
      own.filter(({ stage }) => stage === 0),
    );
    show(
      `${agent}, later stages`,
      own.filter(({ stage }) => stage > 0),
    );
  }
}

/** Median time of a bare copy of the task's first workspace, files only. */
async function timeCopies(folder: string): Promise<number> {
  const task = await openTaskPackage(folder);
  const repository = await createRepository(join(home, 'copies.git'));
  await repository.git({ args: ['bundle', 'unbundle', task.bundle] });
  const workspace = join(home, 'workspace');
  await mkdir(workspace);
  await materialise(repository, await repository.files(task.initialCommit), workspace);
  await repository.close();
  const times: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    const startedAt = performance.now();
    await runProcess({ argv: ['cp', '-a', workspace, join(home, `copy-${round}`)], env: plainEnvironment() });
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[10] ?? Number.NaN;
}

/** No gate at all, so that nothing but the harness is measured. */
async function everythingPasses(request: Parameters<GradeSnapshot>[0]): Promise<{ verdict: Verdict; output: Buffer }> {
  const suite = request.package.suite(request.stage);
  const verdict: Verdict = {
    ...{
      id: `${request.attempt}-${request.stage}`,
      derivedFrom: null,
      agent: request.agent,
      task: request.package.task.id,
    },
    ...{ attempt: request.attempt, stage: request.stage, round: 0, snapshot: request.snapshotTree },
    ...{ gradedTree: request.snapshotTree, gateDigest: suite.gateDigest, environment: '', grader: 'none' },
    ...{ sandbox: request.sandbox.kind, f2p: true, p2p: true, failure: null, valid: true, tests: [], twins: [] },
    ...{ marks: [], control: null, gradings: [], flips: [], gradedAt: new Date().toISOString(), seconds: 0 },
  };
  return { verdict, output: Buffer.alloc(0) };
}
