import { resolve } from 'node:path';
import { experimentDocument } from '#documents/experiment.js';
import { experimentLayout, type runLayout } from '#documents/layout.js';
import type { Verdict } from '#documents/verdict.js';
import type { Repository } from '#git/index.js';
import { makeSlots, type Slots } from '#kernel/async.js';
import { type Clock, systemClock } from '#kernel/clock.js';
import { type Progress, silentProgress } from '#kernel/events.js';
import { Fault } from '#kernel/faults.js';
import { acquireLock, sweepTemporaryFolders, writeFileAtomic } from '#store/index.js';
import { GRADER_VERSION, gradeSnapshot } from './gate/index.js';
import {
  type GatePlace,
  openRunJournal,
  type RunJournal,
  readExperimentDocument,
  readRunState,
  readVerdicts,
  writeResults,
} from './journal/index.js';
import { keepVerdict } from './keep-verdict.js';
import { limitsOf, type PlannedTask } from './plan/index.js';
import { type GateSubject, snapshotsToGrade, whyStale } from './regrade/index.js';
import { type OpenedExperiment, reopenExperiment } from './reopen-experiment.js';
import { runLabels } from './run-context.js';
import type { GradeSnapshot, Stop } from './run-request.js';
import { openRunRepository } from './workspace/index.js';

export interface RegradeRequest {
  /** The experiment's folder. */
  folder: string;
  /** Only runs of this task, of this agent. */
  task?: string;
  agent?: string;
  /** Also grades what is not stale, reading no cache. */
  all?: boolean;
  /** Gates held at once; what the experiment says where it is not given. */
  concurrency?: number;
  stop?: Stop;
  progress?: Progress;
  clock?: Clock;
  /** Of the gate; another one only in tests. */
  grade?: GradeSnapshot;
}

type Judgement = { f2p: boolean | null; p2p: boolean | null };

export interface RenewedGate {
  agent: string;
  task: string;
  attempt: number;
  place: GatePlace;
  why: string;
  before: Judgement | null;
  after: Judgement;
  /** Id of the new verdict. */
  verdict: string;
}

export interface RegradeReport {
  folder: string;
  /** Path of results.jsonl. */
  results: string;
  renewed: RenewedGate[];
  /** Gates whose verdicts stand. */
  standing: number;
  /** Gates that could not be held for outside reasons. */
  failed: { agent: string; task: string; attempt: number; place: GatePlace; fault: Fault }[];
  interrupted: boolean;
}

/**
 * Grades snapshots of an experiment again without running agents: those whose verdict is stale, or all. New verdicts stand
 * in runs/…/regrades and name the ones they renew; results.jsonl is derived again from the newest.
 * @throws Fault (input, environment) where the experiment, a task or a sandbox cannot be had
 */
export async function regradeRuns(asked: RegradeRequest): Promise<RegradeReport> {
  const request = { ...asked, folder: resolve(asked.folder) };
  const layout = experimentLayout(request.folder);
  const lock = await acquireLock(layout.lock, `experiment ${request.folder}`);
  try {
    await sweepTemporaryFolders();
    const experiment = await readExperimentDocument(request.folder);
    const regrading = new Regrading(request, await reopenExperiment(experiment, request));
    return await regrading.run();
  } finally {
    await lock.release();
  }
}

interface OneRun {
  agent: string;
  task: PlannedTask;
  attempt: number;
}

interface DueGate {
  subject: GateSubject;
  before: Verdict | null;
  why: string;
}

interface HeldGate extends DueGate {
  run: OneRun;
  layout: ReturnType<typeof runLayout>;
  repository: Repository;
  journal: RunJournal;
}

type Graded = Awaited<ReturnType<GradeSnapshot>>;

class Regrading {
  private readonly clock: Clock;
  private readonly progress: Progress;
  private readonly slots: Slots;
  private readonly report: RegradeReport;

  constructor(
    private readonly request: RegradeRequest,
    private readonly opened: OpenedExperiment,
  ) {
    this.clock = request.clock ?? systemClock;
    this.progress = request.progress ?? silentProgress;
    this.slots = makeSlots(request.concurrency ?? opened.experiment.concurrency.grading);
    const { results } = experimentLayout(request.folder);
    this.report = { folder: request.folder, results, renewed: [], standing: 0, failed: [], interrupted: false };
  }

  async run(): Promise<RegradeReport> {
    const { folder } = this.request;
    const { experiment } = this.opened;
    await writeFileAtomic(experimentLayout(folder).document, experimentDocument.print(experiment));
    const runs = this.runs();
    const step = 'grade';
    this.progress({ kind: 'step-started', step, total: runs.length, unit: 'runs' });
    let done = 0;
    const settled = await Promise.allSettled(
      runs.map(async (run) => {
        await this.regrade(run);
        done += 1;
        const { agent, task, attempt } = this.nameOf(run);
        const note = `${agent}/${task}/${attempt}`;
        this.progress({ kind: 'step-advanced', step, done, total: runs.length, note });
      }),
    );
    await writeResults(folder, experiment);
    this.progress({ kind: 'step-ended', step, note: null });
    const broken = settled.find((one) => one.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
    return this.report;
  }

  private runs(): OneRun[] {
    const { experiment, tasks } = this.opened;
    const agents = experiment.agents.filter(
      ({ name }) => this.request.agent === undefined || name === this.request.agent,
    );
    const runs: OneRun[] = [];
    for (const task of tasks.values())
      for (const { name } of agents)
        for (let attempt = 1; attempt <= experiment.protocol.attempts; attempt += 1)
          runs.push({ agent: name, task, attempt });
    return runs;
  }

  private async regrade(run: OneRun): Promise<void> {
    const { package: task } = run.task;
    const layout = experimentLayout(this.request.folder).run({ ...run, task: task.task.id });
    const due = await this.dueGates(run, layout);
    if (due.length === 0) return;
    const repository = await openRunRepository(layout.snapshots, task);
    const journal = await openRunJournal(layout.journal, this.clock);
    try {
      await Promise.all(
        due.map((gate) => this.slots.use(() => this.holdUnlessStopped({ run, layout, repository, journal, ...gate }))),
      );
    } finally {
      await journal.close();
      await repository.close();
    }
  }

  private async dueGates(run: OneRun, layout: ReturnType<typeof runLayout>): Promise<DueGate[]> {
    const { package: task } = run.task;
    const state = await readRunState(layout.journal);
    const hasChainGate = this.opened.experiment.protocol.mode === 'chain' && state.agentEnded;
    const verdicts = await readVerdicts(layout, [...task.task.stages.keys(), 'chain']);
    const due: DueGate[] = [];
    for (const subject of snapshotsToGrade(state.ended, task.task.stages.length, hasChainGate)) {
      const before = verdicts.get(subject.place) ?? null;
      const why = whyStale(before, {
        snapshot: subject.tree,
        gateDigest: task.suite(subject.place).gateDigest,
        environment: task.environment.digest,
        grader: GRADER_VERSION,
      });
      if (why !== null || this.request.all === true) due.push({ subject, before, why: why ?? 'asked for' });
      else this.report.standing += 1;
    }
    return due;
  }

  private async holdUnlessStopped(gate: HeldGate): Promise<void> {
    const { stop } = this.request;
    if (stop?.soon.aborted === true || this.isStoppedNow()) {
      this.report.interrupted = true;
      return;
    }
    const { place } = gate.subject;
    try {
      const graded = await this.grade(gate);
      // What was cut short by the operator says nothing.
      if (this.isStoppedNow()) this.report.interrupted = true;
      else await this.keep(gate, graded);
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.kind === 'internal') throw thrown;
      const { code, message } = thrown;
      await gate.journal.append({ type: 'gate-failed', data: { place, code, message } });
      this.report.failed.push({ ...this.nameOf(gate.run), place, fault: thrown });
    }
  }

  private async grade({ run, subject, before, repository }: HeldGate): Promise<Graded> {
    const { request, opened, clock } = this;
    const { protocol, sandbox } = opened.experiment;
    const { package: task, environmentFolder: content } = run.task;
    const labels = await runLabels(request.folder, this.nameOf(run));
    return (request.grade ?? gradeSnapshot)({
      ...{ package: task, stage: subject.place, repository, snapshotTree: subject.tree },
      ...{ agent: run.agent, attempt: run.attempt, round: 0, environmentFolder: content, twins: true },
      sandbox: { kind: sandbox.kind, limits: limitsOf(sandbox) },
      cacheFolder: request.all === true ? null : experimentLayout(request.folder).gradingCache,
      seed: `${protocol.seed}/${task.task.id}/${subject.place}`,
      derivedFrom: before?.id ?? null,
      ...{ clock, label: labels.gates },
      signal: request.stop?.now,
    });
  }

  private async keep({ run, layout, journal, subject, before, why }: HeldGate, graded: Graded): Promise<void> {
    await keepVerdict(layout, graded);
    const { place, tree } = subject;
    const { id, gateDigest, valid, f2p, p2p } = graded.verdict;
    await journal.append({ type: 'gate-ended', data: { place, tree, verdict: id, gateDigest, valid } });
    this.report.renewed.push({
      ...{ ...this.nameOf(run), place, why },
      before: before === null ? null : { f2p: before.f2p, p2p: before.p2p },
      after: { f2p, p2p },
      verdict: id,
    });
  }

  private isStoppedNow(): boolean {
    return this.request.stop?.now.aborted === true;
  }

  private nameOf({ agent, task, attempt }: OneRun): { agent: string; task: string; attempt: number } {
    return { agent, task: task.package.task.id, attempt };
  }
}
