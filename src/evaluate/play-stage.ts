import { mkdir } from 'node:fs/promises';
import { type AgentFacts, type AgentTurn, classifyOutcome } from '#agents/index.js';
import { type Outcome, UNFINISHED_OUTCOMES } from '#documents/outcomes.js';
import type { StageEnded, TurnRecord } from '#documents/run-events.js';
import { writeFileAtomic } from '#store/index.js';
import type { AgentPlace } from './agent-place.js';
import { stageBudgetMs } from './plan/index.js';
import { stagePrompt } from './protocols/index.js';
import type { RunContext } from './run-context.js';
import { unenforcedLimits } from './unenforced-limits.js';
import { changesBetween, makeCheckpoint, type Snapshot, takeSnapshot } from './workspace/index.js';

/** One turn to be played: which, and from where. */
export interface StageTurn {
  stage: number;
  round: number;
  attempt: number;
  /** Commit of the state that the agent starts from, and of the snapshot before it (null: none). */
  from: string;
  parent: string | null;
  /** Files that earlier stages of the run changed. */
  touched: ReadonlySet<string>;
  /** Monotonic instant at which the stage before had ended. */
  sinceMs: number;
  prepareMs: number;
}

export type PlayedStage =
  | { kind: 'ended'; ended: StageEnded; changed: readonly string[]; endedAtMs: number }
  | {
      kind: 'abandoned';
      why: 'interrupted' | 'provider-error' | 'environment-error';
      turn: TurnRecord | null;
      message: string | null;
    };

/** Time beyond its budget after which a turn that does not return is taken for hung, and its sandbox emptied. */
const GRACE_MS = 30_000;
/** Names of lost paths that the journal carries. */
const MOST_LOST = 200;

/** Plays one stage: prompt, turn, end of all processes, snapshot, checkpoint. Journals each effect before the next. */
export async function playStage(context: RunContext, place: AgentPlace, turn: StageTurn): Promise<PlayedStage> {
  const { request, journal, layout } = context;
  const { stage, round, attempt } = turn;
  const budgetMs = stageBudgetMs(request.plan.experiment, request.task.package);
  const { sessionId } = place;
  await journal.append({ type: 'stage-started', data: { stage, round, attempt, sessionId, budgetMs } });
  request.faultPoint('stage-started');
  const prompt = await writePrompt(context, stage);
  await mkdir(layout.native(stage), { recursive: true });
  const startedAt = request.clock.monotonicMs();
  const facts = await takeTurn(context, place, { stage, round, prompt, budgetMs });
  const record = recordOf(facts, request.clock.monotonicMs() - startedAt);
  request.faultPoint('turn-ended');
  if (request.stop.now.aborted) return { kind: 'abandoned', why: 'interrupted', turn: record, message: null };

  await place.sandbox.freeze();
  try {
    const killed = await place.sandbox.killAll({ except: place.session.liveProcesses() });
    const sandbox = await place.sandbox.facts();
    const early = classifyOutcome({ ...facts, activity: true }, null, sandbox);
    if (isOutside(early)) return { kind: 'abandoned', why: early, turn: record, message: facts.error };
    const survivors = [...(facts.survivors ?? []), ...killed.map(({ command }) => command)];
    return await safeguard(context, turn, { facts, record, survivors, sandbox });
  } finally {
    await place.sandbox.thaw();
  }
}

interface FinishedTurn {
  facts: AgentFacts;
  record: TurnRecord;
  survivors: string[];
  sandbox: Parameters<typeof classifyOutcome>[2];
}

/** With nothing running: snapshot and checkpoint side by side, then the stage has ended. */
async function safeguard(context: RunContext, turn: StageTurn, finished: FinishedTurn): Promise<PlayedStage> {
  const { request, journal, layout, repository, live } = context;
  const { stage } = turn;
  const copying = makeCheckpoint(layout.checkpoints, stage, live);
  // Awaited below; a failing snapshot must not leave it unheard.
  copying.catch(() => undefined);
  const taken = await takeSnapshot({
    ...{ repository, workspace: live.workspace, owned: context.owned, memory: context.memory },
    ...{ stage, parent: turn.parent },
  });
  const changes = await changesBetween(repository, turn.from, taken.commit);
  await writeFileAtomic(layout.changes(stage), changes.patch);
  await writeFileAtomic(layout.usage(stage), `${JSON.stringify(finished.record.usage, null, 2)}\n`);
  const describe = () => describeStage(context, turn, finished, taken, changes.paths);
  await journal.append({ type: 'snapshot-taken', data: { ...describe(), checkpointLost: null } });
  request.faultPoint('snapshot-taken');
  const checkpointLost = await copying;
  request.faultPoint('checkpoint-made');
  const endedAtMs = request.clock.monotonicMs();
  const ended = { ...describe(), checkpointLost };
  await journal.append({ type: 'stage-ended', data: ended });
  request.faultPoint('stage-ended');
  return { kind: 'ended', ended, changed: changes.paths, endedAtMs };
}

function describeStage(
  { request: { clock, plan } }: RunContext,
  { stage, round, attempt, touched, sinceMs, prepareMs }: StageTurn,
  { facts, record, survivors, sandbox }: FinishedTurn,
  taken: Snapshot,
  changed: readonly string[],
): StageEnded {
  const activity = facts.activity === true || changed.length > 0 ? true : (facts.activity ?? false);
  const wallMs = clock.monotonicMs() - sinceMs;
  return {
    ...{ stage, round, attempt },
    outcome: classifyOutcome({ ...facts, activity }, null, sandbox),
    ...{ tree: taken.tree, commit: taken.commit },
    turn: record,
    lost: taken.lost.slice(0, MOST_LOST).map((lost) => ({ ...lost })),
    lostCount: taken.lost.length,
    survivors,
    changedFiles: changed.length,
    revisitedFiles: changed.filter((path) => touched.has(path)).length,
    checkpointLost: null,
    unenforced: unenforcedLimits(plan.limits, sandbox.enforced),
    prepareMs,
    overheadMs: Math.max(0, wallMs - record.turnMs - prepareMs),
    wallMs,
  };
}

async function writePrompt({ request, layout, live }: RunContext, stage: number): Promise<string> {
  const { package: task } = request.task;
  const prompt = stagePrompt({ requirement: task.requirement(stage), contract: task.contract(stage) });
  await writeFileAtomic(layout.prompt(stage), prompt);
  await writeFileAtomic(`${live.prompt}/prompt.md`, prompt);
  return prompt;
}

/** The agent's turn, held to its budget even where the adapter does not return. */
async function takeTurn(
  { request, layout }: RunContext,
  { session, sandbox, promptFile }: AgentPlace,
  { stage, round, prompt, budgetMs }: Pick<AgentTurn, 'stage' | 'round' | 'prompt' | 'budgetMs'>,
): Promise<AgentFacts> {
  const nativeFolder = layout.native(stage);
  let overdue = false;
  const timer = setTimeout(() => {
    overdue = true;
    // Should even this fail, the stage's end kills again and says why it cannot.
    Promise.all([session.interrupt(), sandbox.killAll()]).catch(() => undefined);
  }, budgetMs + GRACE_MS);
  try {
    const signal = request.stop.now;
    const facts = await session.turn({ stage, round, prompt, promptFile, budgetMs, nativeFolder, signal });
    return overdue ? { ...facts, timedOut: true } : facts;
  } finally {
    clearTimeout(timer);
  }
}

function recordOf(facts: AgentFacts, turnMs: number): TurnRecord {
  const { exitCode, signal, timedOut, error, nativeSessionId, usage } = facts;
  return { exitCode, signal, timedOut, error, nativeSessionId, usage: usage === null ? null : { ...usage }, turnMs };
}

function isOutside(outcome: Outcome): outcome is 'provider-error' | 'environment-error' {
  return UNFINISHED_OUTCOMES.has(outcome);
}
