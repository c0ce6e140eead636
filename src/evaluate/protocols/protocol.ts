import type { Outcome } from '#documents/outcomes.js';

/** What an awaited gate or score said. A protocol that does not await learns nothing of it. */
export interface Judgement {
  f2p: boolean | null;
  p2p: boolean | null;
  /** 0 to 100, where the protocol's gates give points instead of (or beside) a verdict; null where they do not. */
  score: number | null;
  /** Acceptance criteria (number and words) that failing tests check. */
  failedCriteria: readonly { number: number; text: string }[];
}

/** One turn that has ended for good, in the order of the run. */
export interface TurnRecord {
  stage: number;
  /** 0 for the stage itself; repair rounds and further submissions count up. */
  round: number;
  outcome: Outcome;
  /** Tree of the snapshot. */
  tree: string;
  /** Null where the protocol did not ask for it. */
  judgement: Judgement | null;
}

/** What the agent is told: a stage's spec, or words of the user between stages. */
export type PromptSource = { kind: 'spec'; stage: number } | { kind: 'words'; text: string };

export type ProtocolStep =
  | {
      kind: 'turn';
      stage: number;
      round: number;
      prompt: PromptSource;
      /** What the agent finds: what it left, or a reference state put in its place. */
      workspace: 'as-left' | { state: number };
      session: 'same' | 'fresh';
      /** `queue`: graded without anybody waiting. `await`: the next step may depend on it. `none`: practice. */
      gate: 'queue' | 'await' | 'none';
    }
  /** The suite over the whole chain, on the last snapshot. */
  | { kind: 'chain-gate'; stage: number }
  | { kind: 'end' };

/**
 * Decides what comes next in a run from what has been, and from nothing else, so that a resumed run goes on as the
 * uninterrupted one would have.
 */
export interface Protocol {
  readonly name: string;
  next(history: readonly TurnRecord[]): ProtocolStep;
  /** A chain gate is due at the end of the run. */
  readonly hasChainGate: boolean;
}
