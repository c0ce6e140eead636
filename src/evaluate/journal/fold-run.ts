import type { RunEvent, RunIdentity, StageEnded, TurnRecord } from '#documents/run-events.js';

export type GatePlace = number | 'chain';

export interface GateRecord {
  place: GatePlace;
  tree: string;
  verdict: string;
  gateDigest: string;
  valid: boolean;
}

export interface AbandonedAttempt {
  stage: number;
  round: number;
  attempt: number;
  why: 'harness-died' | 'interrupted' | 'provider-error' | 'environment-error';
  message: string | null;
  turn: TurnRecord | null;
}

/** A stage that was begun and has not ended. */
export interface OpenStage {
  stage: number;
  round: number;
  attempt: number;
  sessionId: string;
  /** The agent's work is safe in this snapshot; null while it is not. */
  snapshot: StageEnded | null;
}

/** Where a run stands, from its events alone. */
export interface RunState {
  identity: RunIdentity | null;
  /** Processes of the harness that worked on it. */
  processes: number;
  ended: StageEnded[];
  open: OpenStage | null;
  abandoned: AbandonedAttempt[];
  /** The last stage begun was given up for an outside reason and not begun again. */
  parked: AbandonedAttempt | null;
  agentEnded: boolean;
  /** The latest record of each gate. */
  gates: Map<GatePlace, GateRecord>;
  /** Why a gate could not be held, where it has not been held since. */
  failedGates: Map<GatePlace, { code: string; message: string }>;
  runEnded: boolean;
  /** Session of the latest stage begun. */
  sessionId: string | null;
  nativeSessionId: string | null;
}

/** Folds a run's events, in order, to its state. */
export function foldRun(events: readonly RunEvent[]): RunState {
  const state: RunState = {
    identity: null,
    processes: 0,
    ended: [],
    open: null,
    abandoned: [],
    parked: null,
    agentEnded: false,
    gates: new Map(),
    failedGates: new Map(),
    runEnded: false,
    sessionId: null,
    nativeSessionId: null,
  };
  for (const event of events) apply(state, event);
  return state;
}

function apply(state: RunState, event: RunEvent): void {
  switch (event.type) {
    case 'run-started':
      state.identity = event.data;
      return;
    case 'process-started':
      state.processes += 1;
      return;
    case 'stage-started': {
      const { stage, round, attempt, sessionId } = event.data;
      // A session other than the last one begins without what the last one knew.
      if (state.sessionId !== sessionId) state.nativeSessionId = null;
      state.sessionId = sessionId;
      state.open = { stage, round, attempt, sessionId, snapshot: null };
      state.parked = null;
      return;
    }
    case 'snapshot-taken':
      if (state.open !== null) state.open.snapshot = event.data;
      return;
    case 'stage-ended':
      state.ended.push(event.data);
      state.open = null;
      state.nativeSessionId = event.data.turn.nativeSessionId ?? state.nativeSessionId;
      return;
    case 'stage-abandoned': {
      const { stage, round, attempt, why, message, turn } = event.data;
      const abandoned = { stage, round, attempt, why, message, turn };
      state.abandoned.push(abandoned);
      state.open = null;
      state.parked = why === 'provider-error' || why === 'environment-error' ? abandoned : null;
      return;
    }
    case 'agent-ended':
      state.agentEnded = true;
      return;
    case 'gate-started':
      return;
    case 'gate-ended':
      state.gates.set(event.data.place, event.data);
      state.failedGates.delete(event.data.place);
      state.runEnded = false;
      return;
    case 'gate-failed':
      state.failedGates.set(event.data.place, event.data);
      return;
    case 'run-ended':
      state.runEnded = true;
  }
}

/** The number of the next attempt at a stage. */
export function nextAttempt(state: RunState, stage: number, round: number): number {
  return state.abandoned.filter((one) => one.stage === stage && one.round === round).length;
}
