import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '#documents/environment.js';
import type { Suite } from '#documents/suite.js';
import { materialise, type Repository, type TreeFiles } from '#git/index.js';
import type { Clock } from '#kernel/clock.js';
import { type Limits, type Sandbox, type SandboxKind, whileOpen } from '#sandbox/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { openWorkspaceSandbox, runnerNamed, type TestOrder } from '#testbed/index.js';
import type { DrawnTwin } from './draw-twins.js';
import type { Grading } from './grading.js';
import { type RunOutcome, reduceResults } from './reduce-results.js';
import { alteredFiles } from './suite-integrity.js';

/** Where suites are run: always a fresh sandbox without network on an empty folder. */
export interface GradingPlace {
  repository: Repository;
  environment: Environment;
  /** The environment's content on the host; null for the empty one. */
  environmentFolder: string | null;
  sandbox: { kind: SandboxKind; limits: Limits };
  label: string;
  clock: Clock;
  /** Ends what runs and throws. */
  signal?: AbortSignal | undefined;
}

export interface GradingOrder {
  suite: Suite;
  /** The composed tree, twins included. */
  tree: TreeFiles;
  twins: readonly DrawnTwin[];
  seed: string;
  order: TestOrder;
}

export interface RanGrading {
  grading: Grading;
  output: Buffer;
  /** Nothing but the code decided it: no time ran out, no memory, no disk. */
  repeatable: boolean;
  /** Files that did not compile or could not be collected, by path key. */
  silentFiles: string[];
}

/**
 * Materialises a composed tree, prepares it, runs the suite on it and reads what came of it.
 * @throws Fault (environment) where no sandbox can be had; never for what the code under test does
 */
export function runGrading(place: GradingPlace, order: GradingOrder): Promise<RanGrading> {
  const startedAt = place.clock.monotonicMs();
  return withTemporaryFolder('grade', async (folder) => {
    const hostWorkspace = join(folder, 'workspace');
    await materialise(place.repository, order.tree, hostWorkspace);
    const sandbox = await openWorkspaceSandbox({
      kind: place.sandbox.kind,
      environment: place.environment,
      environmentFolder: place.environmentFolder,
      hostWorkspace,
      limits: place.sandbox.limits,
      label: place.label,
    });
    return whileOpen(sandbox, place.signal, async () => {
      const ran = await prepareAndRun({ place, order, sandbox, folder, hostWorkspace });
      const facts = await sandbox.facts();
      const grading: Grading = {
        seed: order.seed,
        order: orderName(order.order),
        cached: false,
        ...ran.reduced,
        seconds: (place.clock.monotonicMs() - startedAt) / 1000,
      };
      const repeatable =
        !grading.timedOut && grading.failure !== 'hang' && facts.oom !== true && facts.diskFull !== true;
      return { grading, output: ran.output, repeatable, silentFiles: ran.silentFiles };
    });
  });
}

interface Running {
  place: GradingPlace;
  order: GradingOrder;
  sandbox: Sandbox;
  folder: string;
  hostWorkspace: string;
}

async function prepareAndRun(running: Running) {
  const { order, sandbox, hostWorkspace, folder } = running;
  const { suite, tree, twins } = order;
  const prepared = await prepare(running);
  if (prepared.failure !== null) {
    const reduced = reduceResults(suite, twins, []);
    return {
      reduced: { ...reduced, ...missing(suite), ...prepared.failure },
      output: prepared.output,
      silentFiles: [],
    };
  }
  const tampering = prepared.altered.map(({ what }) => `${what} by a prepare step`);
  const runs: RunOutcome[] = [];
  for (const [index, run] of suite.runs.entries()) {
    const reportFolder = join(folder, `report-${index}`);
    await mkdir(reportFolder);
    const result = await runnerNamed(run.runner).run({
      ...{ runner: run.runner, sandbox, workspace: '/workspace', cwd: run.cwd, project: run.project, files: run.files },
      ...{ timeoutMs: run.timeoutMs, perTestTimeoutMs: run.perTestTimeoutMs, order: order.order, reportFolder },
      clockDays: 0,
    });
    runs.push({ run, result });
    await sandbox.killAll();
  }
  const testFiles = new Set(suite.runs.flatMap((run) => run.files));
  for (const { what } of await alteredFiles(hostWorkspace, tree, testFiles))
    tampering.push(`${what} while the suite ran`);
  const reduced = reduceResults(suite, twins, runs);
  return {
    reduced: { ...reduced, tampering: [...reduced.tampering, ...tampering] },
    output: Buffer.concat([prepared.output, ...runs.map(({ result }) => result.output)]),
    silentFiles: runs.flatMap(({ result }) =>
      result.targets
        .filter(({ state }) => state === 'compile-failed' || state === 'collect-failed')
        .map(({ file }) => file),
    ),
  };
}

const PREPARE_OUTPUT_BYTES = 64 * 1024;

/** Build steps run before any report path exists; what they leave running is ended. */
async function prepare({ place, order, sandbox, hostWorkspace }: Running) {
  const steps = place.environment.prepare;
  const output: Buffer[] = [];
  for (const step of steps) {
    const ran = await sandbox.exec({
      argv: step.argv,
      cwd: step.cwd === '' ? '/workspace' : `/workspace/${step.cwd.replace(/^\/workspace\/?/, '')}`,
      timeoutMs: step.timeoutMs,
      maxOutputBytes: PREPARE_OUTPUT_BYTES,
    });
    output.push(ran.stdout, ran.stderr);
    await sandbox.killAll();
    if (ran.exitCode === 0) continue;
    const how = ran.timedOut ? 'took too long' : `ended with ${ran.signal ?? `code ${ran.exitCode}`}`;
    const failure = {
      failure: ran.timedOut ? ('hang' as const) : ('compile' as const),
      evidence: `prepare step ${JSON.stringify(step.argv)} ${how}`,
      exitCode: ran.exitCode,
      timedOut: ran.timedOut,
    };
    return { failure, output: Buffer.concat(output), altered: [] };
  }
  const altered = steps.length === 0 ? [] : await alteredFiles(hostWorkspace, order.tree, order.suite.overlay);
  return { failure: null, output: Buffer.concat(output), altered };
}

function missing(suite: Suite): Pick<Grading, 'tests' | 'twins'> {
  const tests = suite.tests.map(({ id }) => ({
    ...{ id, status: 'missing' as const, durationMs: null, message: null, fileEnded: false },
  }));
  return { tests, twins: [] };
}

function orderName(order: TestOrder): string {
  return order.kind === 'shuffled' ? `shuffled ${order.seed}` : order.kind;
}
