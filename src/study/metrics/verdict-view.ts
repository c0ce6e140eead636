import type { Run, StageResult, Verdict } from './run.js';

/** Which verdict of a stage a figure reads: the last one (after repair rounds) or the first. They differ at L1-L3 only. */
export type VerdictView = 'last' | 'first';

const UNKNOWN: Verdict = { f2p: null, p2p: null, passed: null };

/** The verdict of one stage; unknown where it has no line. */
export function verdictAt(run: Run, stage: number, view: VerdictView = 'last'): Verdict {
  const result: StageResult | null | undefined = run.stages[stage];
  if (result === null || result === undefined) return UNKNOWN;
  return view === 'first' ? result.first : result;
}

/** The last gate of every stage before `stage`, in order. */
export function gatesBefore(run: Run, stage: number): (boolean | null)[] {
  return run.stages.slice(0, stage).map((_, earlier) => verdictAt(run, earlier).passed);
}

/** All stage numbers of the chain from `from` on. */
export function stagesFrom(run: Run, from: number): number[] {
  return run.stages.map((_, stage) => stage).slice(from);
}
