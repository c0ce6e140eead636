import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { diffTrees } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { type SandboxKind, sandboxMember } from '#sandbox/index.js';
import { removeTree } from '#store/index.js';
import { type AgentPlace, openAgentPlace } from './agent-place.js';
import { GateLine } from './gate-line.js';
import { type GatePlace, nextAttempt, openRunJournal, type RunState } from './journal/index.js';
import { identityOf } from './plan/index.js';
import { type PlayedStage, playStage } from './play-stage.js';
import { type ProtocolStep, protocolOf } from './protocols/index.js';
import { abandonStage, settleOpenStage } from './recover-run.js';
import { type RunContext, type RunLabels, runLabels, runPlaces } from './run-context.js';
import type { RunReport, RunRequest } from './run-request.js';
import { makeWorkspace, openRunRepository, pruneCheckpoints, restoreCheckpoint, treeOf } from './workspace/index.js';

type TurnStep = Extract<ProtocolStep, { kind: 'turn' }>;

/**
 * Runs one agent on one task, or goes on with a run that an earlier process began: stages in order, each stage's gate
 * beside them, the chain gate last. What was done is never done again.
 * @param agentSlot taken while the agent works; gates are waited for without it
 * @throws only what is our bug; everything else is in the report and in the journal
 */
export async function runTask(
  request: RunRequest,
  agentSlot: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<RunReport> {
  const report: RunReport = {
    ...{ agent: request.agent.name, task: request.task.package.task.id, attempt: request.attempt },
    ...{ end: 'complete', resumed: false, fault: null },
  };
  let run: TaskRun | null = null;
  try {
    const agent = await agentSlot(async () => {
      run = await TaskRun.take(request);
      report.resumed = run.resumed;
      return { run, ...(await run.work()) };
    });
    const ended = await agent.run.conclude(agent);
    report.end = ended.end;
    report.fault = ended.fault;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.kind === 'internal') throw thrown;
    report.end = thrown.kind === 'environment' ? 'parked' : 'failed';
    report.fault = thrown;
  } finally {
    await (run as TaskRun | null)?.release();
  }
  return report;
}

interface AgentEnd {
  end: 'complete' | 'parked' | 'interrupted';
  fault: Fault | null;
}

/** Why a gate that is due has said nothing. */
function gateFault(place: GatePlace, state: RunState): Fault {
  const failed = state.failedGates.get(place);
  const gate = place === 'chain' ? 'the chain gate' : `the gate of stage ${place}`;
  return new Fault({
    code: failed?.code ?? 'grader-invalid',
    kind: 'environment',
    message: failed === undefined ? `${gate}: the reference itself fails it here` : `${gate}: ${failed.message}`,
    hint: 'Run the same command again; if it stays so, `featurearc check` the task on this machine.',
  });
}

/** Ends what an earlier process of the run left alive. @returns how many processes or containers that were */
async function killLeft(kind: SandboxKind, labels: RunLabels): Promise<number> {
  const member = sandboxMember(kind);
  return (await member.killByLabel(labels.agent)) + (await member.killByLabel(labels.gates));
}

class TaskRun {
  private readonly gates: GateLine;
  private place: AgentPlace | null = null;
  private stageBeganAtMs: number;

  private constructor(
    private readonly context: RunContext,
    /** An earlier process had begun the run. */
    readonly resumed: boolean,
  ) {
    this.gates = new GateLine(context);
    this.stageBeganAtMs = context.request.clock.monotonicMs();
  }

  /** Takes the run up: ends what a dead process left alive, opens journal and repository. */
  static async take(request: RunRequest): Promise<TaskRun> {
    const places = runPlaces(request);
    const { plan, agent, task, attempt } = request;
    await mkdir(places.layout.folder, { recursive: true });
    const run = { agent: agent.name, task: task.package.task.id, attempt };
    const labels = await runLabels(plan.folder, run);
    const journal = await openRunJournal(places.layout.journal, request.clock);
    try {
      const resumed = journal.state.processes > 0;
      const killed = resumed ? await killLeft(plan.experiment.sandbox.kind, labels) : 0;
      if (journal.state.identity === null)
        await journal.append({ type: 'run-started', data: identityOf(plan.experiment, run) });
      await journal.append({ type: 'process-started', data: { toolVersion: request.toolVersion, killed } });
      request.faultPoint('process-started');
      const repository = await openRunRepository(places.layout.snapshots, task.package);
      return new TaskRun({ request, ...places, journal, repository, labels, memory: new Map() }, resumed);
    } catch (thrown) {
      await journal.close();
      throw thrown;
    }
  }

  /** The agent's part of the run: everything but waiting for gates. */
  async work(): Promise<AgentEnd> {
    const { journal, request } = this.context;
    for (const { stage, tree } of journal.state.ended) this.gates.enqueue(stage, tree);
    let current = false;
    try {
      this.stageBeganAtMs = request.clock.monotonicMs();
      const { open } = journal.state;
      if (open !== null) {
        current = await settleOpenStage(this.context, open);
        this.sayResumed(open.stage, current);
        const ended = journal.state.ended.at(-1);
        if (current && ended !== undefined) this.gates.enqueue(ended.stage, ended.tree);
      }
      return await this.playAll(current);
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.kind !== 'environment') throw thrown;
      return await this.park(thrown);
    } finally {
      await this.closePlace();
    }
  }

  /** Waits for the run's gates and ends its record where nothing is left to do. */
  async conclude(agent: AgentEnd): Promise<AgentEnd> {
    const { journal, request } = this.context;
    await this.gates.settle();
    if (agent.end !== 'complete') return agent;
    const { state } = journal;
    const due = [...state.ended.map(({ stage }) => stage), ...(this.protocol().hasChainGate ? ['chain' as const] : [])];
    const missing = due.find((place) => state.gates.get(place)?.valid !== true);
    if (missing !== undefined) {
      const interrupted = request.stop.soon.aborted || request.stop.now.aborted;
      return interrupted ? { end: 'interrupted', fault: null } : { end: 'parked', fault: gateFault(missing, state) };
    }
    if (!state.runEnded) await journal.append({ type: 'run-ended', data: {} });
    return agent;
  }

  async release(): Promise<void> {
    await this.closePlace();
    // Where it is not the first failure, it is not the one to tell of; gates must have ended all the same.
    await this.gates.settle().catch(() => undefined);
    await this.context.repository.close();
    await this.context.journal.close();
  }

  private protocol() {
    const { plan, task } = this.context.request;
    return protocolOf(plan.experiment.protocol, task.package.task.stages.length);
  }

  /** @param current the live folders are as the last ended stage left them */
  private async playAll(current: boolean): Promise<AgentEnd> {
    const { request, journal } = this.context;
    const protocol = this.protocol();
    for (;;) {
      const history = journal.state.ended.map(({ stage, round, outcome, tree }) => ({
        ...{ stage, round, outcome, tree },
        judgement: null,
      }));
      const step = protocol.next(history);
      if (step.kind !== 'turn') {
        await this.endAgent(step);
        return { end: 'complete', fault: null };
      }
      if (request.stop.soon.aborted || request.stop.now.aborted) return { end: 'interrupted', fault: null };
      const played = await this.playStep(step, current);
      if (played.kind === 'abandoned') {
        const { why, message, turn } = played;
        const { stage, round } = step;
        const attempt = nextAttempt(journal.state, stage, round);
        await abandonStage(this.context, { stage, round, attempt }, { why, message, turn });
        return { end: why === 'interrupted' ? 'interrupted' : 'parked', fault: null };
      }
      if (step.gate !== 'none') this.gates.enqueue(step.stage, played.ended.tree);
      this.progress(step.stage);
      await pruneCheckpoints(this.context.layout.checkpoints, step.stage);
      current = true;
    }
  }

  private async playStep(step: TurnStep, current: boolean): Promise<PlayedStage> {
    const { journal } = this.context;
    const placeBefore = this.place;
    const place = await this.placeFor(step, current);
    const { state } = journal;
    const last = state.ended.at(-1) ?? null;
    const replaced = step.workspace === 'as-left' ? null : step.workspace.state;
    const played = await playStage(this.context, place, {
      ...{ stage: step.stage, round: step.round, attempt: nextAttempt(state, step.stage, step.round) },
      from: replaced === null && last !== null ? last.commit : `refs/states/${replaced ?? 0}`,
      parent: last?.commit ?? null,
      touched: await this.touched(),
      sinceMs: this.stageBeganAtMs,
      prepareMs: place === placeBefore ? 0 : place.prepareMs,
    });
    if (played.kind === 'ended') this.stageBeganAtMs = played.endedAtMs;
    return played;
  }

  /** The open sandbox and session for a step, with the workspace that the step wants. */
  private async placeFor(step: TurnStep, current: boolean): Promise<AgentPlace> {
    const { state } = this.context.journal;
    if (step.workspace === 'as-left' && step.session === 'same' && this.place !== null) return this.place;
    const last = state.ended.at(-1);
    const sessionId = step.session === 'fresh' ? randomUUID() : (state.sessionId ?? randomUUID());
    const nativeSessionId = step.session === 'fresh' ? null : state.nativeSessionId;
    await this.closePlace();
    const needsLast = step.workspace === 'as-left' || step.session === 'same';
    if (last !== undefined && needsLast && !current) await this.restore(last.stage, last.tree);
    await this.replaceWorkspace(step);
    this.context.memory.clear();
    this.place = await openAgentPlace(this.context, { sessionId, nativeSessionId });
    return this.place;
  }

  private async restore(stage: number, tree: string): Promise<void> {
    const { layout, live, repository, owned } = this.context;
    await restoreCheckpoint(layout.checkpoints, stage, live);
    const found = await treeOf(repository, live.workspace, owned);
    if (found === tree) return;
    throw new Fault({
      code: 'checkpoint-damaged',
      kind: 'input',
      message: `${layout.checkpoints}/${stage}: the workspace in it is not that of the snapshot (${found} instead of ${tree})`,
      hint: 'Restore the folder, or move this attempt aside to run it anew.',
    });
  }

  private async replaceWorkspace(step: TurnStep): Promise<void> {
    if (step.workspace === 'as-left') return;
    const { request, live, repository, owned } = this.context;
    const { package: task } = request.task;
    if (step.session === 'fresh') for (const folder of [live.home, live.tmp]) await removeTree(folder);
    const { state } = step.workspace;
    const from =
      state === 0
        ? { bundle: task.bundle, commit: task.initialCommit }
        : { repository, tree: (await repository.commit(`refs/states/${state}`)).tree };
    await makeWorkspace(live.workspace, { from, owned });
    request.faultPoint('workspace-made');
  }

  /** Files that the stages so far changed, each against where it started from. */
  private async touched(): Promise<Set<string>> {
    const { journal, repository, request } = this.context;
    const inChain = request.plan.experiment.protocol.mode === 'chain';
    const touched = new Set<string>();
    let before = 'refs/states/0';
    for (const { stage, commit } of journal.state.ended) {
      const from = inChain ? before : `refs/states/${stage}`;
      const changes = diffTrees(await repository.files(from), await repository.files(commit));
      for (const { path } of changes) touched.add(path);
      before = commit;
    }
    return touched;
  }

  /** After the last stage: nothing of the agent is kept open, the chain gate is due, live folders are no longer needed. */
  private async endAgent(step: ProtocolStep): Promise<void> {
    const { journal, layout, live } = this.context;
    await this.closePlace();
    const { state } = journal;
    if (!state.agentEnded) await journal.append({ type: 'agent-ended', data: {} });
    const last = state.ended.at(-1);
    if (step.kind === 'chain-gate' && last !== undefined) this.gates.enqueue('chain', last.tree);
    // The home stays: it holds what the scaffold wrote of its own accord.
    for (const folder of [live.workspace, live.tmp, live.prompt, layout.checkpoints]) await removeTree(folder);
  }

  private async park(fault: Fault): Promise<AgentEnd> {
    const { journal } = this.context;
    const { open } = journal.state;
    await this.closePlace();
    if (open !== null && open.snapshot === null)
      await abandonStage(this.context, open, { why: 'environment-error', message: fault.message, turn: null });
    return { end: 'parked', fault };
  }

  private async closePlace(): Promise<void> {
    const { place } = this;
    this.place = null;
    await place?.close();
  }

  private get name(): string {
    const { agent, task, attempt } = this.context.request;
    return `${agent.name} · ${task.package.task.id} · ${attempt}`;
  }

  private sayResumed(stage: number, whole: boolean): void {
    const what = whole
      ? 'was whole and is kept'
      : 'had not ended: it starts anew from its checkpoint, the earlier attempt is kept apart';
    const message = `${this.name}: an earlier process ended in the middle of stage ${stage}, which ${what}`;
    this.context.request.progress({ kind: 'notice', level: 'info', message });
  }

  private progress(stage: number): void {
    const { progress, task } = this.context.request;
    const total = task.package.task.stages.length;
    const step = this.name;
    progress({ kind: 'step-advanced', step, done: stage + 1, total, note: null });
  }
}
