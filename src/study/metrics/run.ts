import type { Outcome } from '#documents/outcomes.js';
import type { ChainLine, InheritanceLine, LabelLine, StageLine, TaskLine } from '#documents/results.js';

/** What one gate said. Null is unknown. */
export interface Verdict {
  readonly f2p: boolean | null;
  readonly p2p: boolean | null;
  /** Both suites passed; false as soon as one is known to have failed. */
  readonly passed: boolean | null;
}

/** One stage of a run: the last verdict, which the next stage starts from, and the first. */
export interface StageResult extends Verdict {
  readonly first: Verdict;
  readonly line: StageLine;
  /** Repair rounds after the first verdict. */
  readonly rounds: number;
}

export interface ChainResult extends Verdict {
  readonly line: ChainLine;
}

/** One agent on one task, one attempt. */
export interface Run {
  readonly agent: string;
  readonly task: string;
  readonly attempt: number;
  /** Stages of the chain, whether or not the run reached them. */
  readonly length: number;
  /** One place per stage of the chain; null where there is no line. */
  readonly stages: readonly (StageResult | null)[];
  /** Null where there is no line. */
  readonly chain: ChainResult | null;
  /** Set where the run has no result yet for outside reasons: it counts nowhere. `stage` null is the chain gate. */
  readonly unfinished: { readonly stage: number | null; readonly why: Outcome | 'no result line' } | null;
  /** 1 / finished attempts of this agent at this task, so that every task weighs the same. */
  readonly weight: number;
  readonly labels: readonly LabelLine[];
  readonly inheritance: readonly InheritanceLine[];
}

export interface TaskFacts {
  readonly task: string;
  readonly length: number;
  readonly lengthInferred: boolean;
  readonly line: TaskLine | null;
}

/** Runs that may be compared: one experiment, one delegation level, one mode. */
export interface RunSet {
  readonly experiment: string | null;
  readonly level: StageLine['level'];
  readonly mode: StageLine['mode'];
  /** Sorted by name, so that no figure depends on the order of lines. */
  readonly agents: readonly string[];
  /** Sorted by name. */
  readonly tasks: readonly TaskFacts[];
  readonly runs: readonly Run[];
}
