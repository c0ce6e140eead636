import { mkdir, rename, rmdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { experimentDocument } from '#documents/experiment.js';
import { experimentLayout } from '#documents/layout.js';
import type { ResultLine } from '#documents/results.js';
import { makeSlots } from '#kernel/async.js';
import { type Clock, systemClock } from '#kernel/clock.js';
import { type Progress, silentProgress } from '#kernel/events.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { acquireLock, readTextIfAny, sweepTemporaryFolders, writeFileAtomic } from '#store/index.js';
import { gradeSnapshot } from './gate/index.js';
import { readRunState, writeResults } from './journal/index.js';
import { identityOf, type Plan, planExperiment, staleGates, whyInvalid } from './plan/index.js';
import { checkProtocol, countWords } from './protocols/index.js';
import type { FaultPoint, GradeSnapshot, RunConditions, RunReport, RunRequest, Stop } from './run-request.js';
import { runTask } from './run-task.js';

export interface ExperimentRequest {
  /** The experiment's file (YAML). */
  file: string;
  /** The experiment's folder: made, or gone on with. */
  folder: string;
  toolVersion: string;
  /** Sets runs aside that can no longer be continued and runs them anew, instead of refusing. */
  renew?: boolean;
  stop?: Stop;
  progress?: Progress;
  clock?: Clock;
  /** Of the gate; another one only in tests. */
  grade?: GradeSnapshot;
  faultPoint?: FaultPoint;
}

export interface ExperimentReport {
  folder: string;
  /** Path of results.jsonl. */
  results: string;
  lines: ResultLine[];
  runs: RunReport[];
  sandbox: string;
  interrupted: boolean;
  /** Runs that wait for outside reasons or whose files are wrong. */
  unfinished: RunReport[];
}

const NEVER: Stop = { soon: new AbortController().signal, now: new AbortController().signal };
/** Runs that may be open at once for each at work: agents go on while gates of earlier runs are still being held. */
const OPEN_RUNS_PER_SLOT = 8;

/**
 * Runs every agent on every task as an experiment file says, or goes on with what an earlier process left.
 * @throws Fault (usage, input, environment) where the experiment cannot be run at all; what happens to a run is in the report
 */
export async function runExperiment(asked: ExperimentRequest): Promise<ExperimentReport> {
  // Programs that are started elsewhere are told its paths.
  const request = { ...asked, folder: resolve(asked.folder) };
  const layout = experimentLayout(request.folder);
  await mkdir(request.folder, { recursive: true });
  const lock = await acquireLock(layout.lock, `experiment ${request.folder}`);
  try {
    await sweepTemporaryFolders();
    const plan = await planExperiment({ ...request, countWords });
    checkProtocol(plan.experiment.protocol, request.file);
    await settleInvalidRuns(plan, request);
    noticeStaleGates(plan, request.progress ?? silentProgress);
    const text = experimentDocument.print(plan.experiment);
    if ((await readTextIfAny(layout.document)) !== text) await writeFileAtomic(layout.document, text);
    return await runAll(plan, request);
  } finally {
    await lock.release();
    await removeIfEmpty(request.folder);
  }
}

async function runAll(plan: Plan, request: ExperimentRequest): Promise<ExperimentReport> {
  const { experiment, folder } = plan;
  const { concurrency } = experiment;
  const stop = request.stop ?? NEVER;
  const conditions: RunConditions = {
    ...{ plan, stop, toolVersion: request.toolVersion },
    clock: request.clock ?? systemClock,
    progress: request.progress ?? silentProgress,
    grade: request.grade ?? gradeSnapshot,
    gateSlots: makeSlots(concurrency.grading),
    faultPoint: request.faultPoint ?? (() => undefined),
  };
  const runSlots = makeSlots(concurrency.runs);
  const agentSlots = new Map(
    experiment.agents.map(({ name }) => [name, makeSlots(concurrency.perAgent[name] ?? concurrency.runs)]),
  );
  const openSlots = makeSlots(concurrency.runs * OPEN_RUNS_PER_SLOT);
  const requests = runsOf(conditions);
  // One writer at a time: each derives from what is on disk when its turn comes.
  const writing = makeSlots(1);
  const refresh = (): Promise<ResultLine[]> => writing.use(() => writeResults(folder, experiment));
  const settled = await Promise.allSettled(
    requests.map(async (run) => {
      const slots = agentSlots.get(run.agent.name) ?? runSlots;
      const report = await openSlots.use(() => runTask(run, (work) => slots.use(() => runSlots.use(work))));
      await refresh();
      return report;
    }),
  );
  const broken = settled.find((one) => one.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  const runs = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return {
    ...{ folder, results: experimentLayout(folder).results, lines: await refresh(), runs },
    sandbox: experiment.sandbox.kind,
    interrupted: runs.some(({ end }) => end === 'interrupted'),
    unfinished: runs.filter(({ end }) => end === 'parked' || end === 'failed'),
  };
}

/** Attempts outermost, so that every task has been tried once before any is tried again. */
function runsOf(conditions: RunConditions): RunRequest[] {
  const { experiment, tasks } = conditions.plan;
  const requests: RunRequest[] = [];
  for (let attempt = 1; attempt <= experiment.protocol.attempts; attempt += 1)
    for (const { id } of experiment.tasks)
      for (const agent of experiment.agents) {
        const task = tasks.get(id);
        if (task !== undefined) requests.push({ ...conditions, agent, task, attempt });
      }
  return requests;
}

/**
 * Refuses to go on with runs that are no longer what they were begun as, or sets them aside where that is wished.
 * @throws Fault `runs-invalidated` (input) naming every run and reason
 */
async function settleInvalidRuns(plan: Plan, request: ExperimentRequest): Promise<void> {
  const { experiment, before } = plan;
  const invalid: { folder: string; words: string }[] = [];
  for (let attempt = 1; attempt <= experiment.protocol.attempts; attempt += 1)
    for (const { id: task } of experiment.tasks)
      for (const { name: agent } of experiment.agents) {
        const run = { agent, task, attempt };
        const { folder, journal } = experimentLayout(plan.folder).run(run);
        const { identity } = await readRunState(journal);
        if (identity === null) continue;
        const reasons = whyInvalid(identity, identityOf(experiment, run), before, experiment);
        if (reasons.length > 0) invalid.push({ folder, words: `${agent}/${task}/${attempt}: ${reasons.join('; ')}` });
      }
  if (invalid.length === 0) return;
  if (request.renew !== true) {
    throw new Fault({
      code: 'runs-invalidated',
      kind: 'input',
      message: `${request.folder}: ${invalid.length} of its runs cannot be continued. ${invalid.map(({ words }) => words).join(' · ')}`,
      hint: 'Undo the change, give another --out folder, or add --renew to set these runs aside and run them anew.',
    });
  }
  for (const { folder, words } of invalid) {
    await setAside(folder);
    request.progress?.({ kind: 'notice', level: 'warning', message: `set aside and run anew: ${words}` });
  }
}

/** Moves a run's folder to the first free name beside it. */
async function setAside(folder: string): Promise<void> {
  for (let number = 1; ; number += 1) {
    try {
      await mkdir(`${folder}.aside-${number}`);
    } catch (thrown) {
      if (errorCodeOf(thrown) === 'EEXIST') continue;
      throw thrown;
    }
    await rename(folder, `${folder}.aside-${number}`);
    return;
  }
}

function noticeStaleGates({ before, experiment, folder }: Plan, progress: Progress): void {
  const stale = staleGates(before, experiment);
  if (stale.length === 0) return;
  const message = `the hidden gates of ${stale.join(', ')} have changed: verdicts held under the old ones are left out of the results until \`featurearc grade ${folder}\` renews them`;
  progress({ kind: 'notice', level: 'warning', message });
}

/** A folder that was only made for the lock goes again. */
async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'ENOTEMPTY' && errorCodeOf(thrown) !== 'ENOENT') throw thrown;
  }
}
