import type { CellState, GridCell, GridRun } from '#documents/findings.js';
import { UNFINISHED_OUTCOMES } from '#documents/outcomes.js';
import type { ChainLine, StageLine } from '#documents/results.js';
import type { Run } from './metrics/index.js';

/** Runs as rows of cells: one cell per stage and one for the chain gate. */
export function showGrid(runs: readonly Run[]): GridRun[] {
  return runs.map((run) => ({
    agent: run.agent,
    task: run.task,
    attempt: run.attempt,
    unfinished: run.unfinished !== null,
    cells: run.stages.map((result, stage) => cellOf(result?.line ?? null, stage, result?.rounds ?? 0)),
    chain: run.chain === null && run.unfinished === null ? null : cellOf(run.chain?.line ?? null, null, 0),
  }));
}

function cellOf(line: StageLine | ChainLine | null, stage: number | null, rounds: number): GridCell {
  return {
    stage,
    state: stateOf(line),
    outcome: line?.outcome ?? null,
    failure: line?.failure ?? null,
    marks: line?.marks ?? [],
    flips: line?.flips ?? null,
    rounds,
    tests: line?.tests ?? null,
  };
}

function stateOf(line: StageLine | ChainLine | null): CellState {
  if (line === null) return 'missing';
  if (line.outcome !== null && UNFINISHED_OUTCOMES.has(line.outcome)) return 'unfinished';
  if (line.f2p === false) return line.p2p === false ? 'both-failed' : 'f2p-failed';
  if (line.p2p === false) return 'p2p-failed';
  return line.f2p === null || line.p2p === null ? 'unknown' : 'passed';
}
