import { UNFINISHED_OUTCOMES } from '#documents/outcomes.js';
import type { RunSummary } from '#documents/run-summary.js';
import { currentVerdict, type RunFacts, runOutcome, stageOutcome } from './result-lines.js';

/** run.json: derived, so it can be thrown away and made again. */
export function summariseRun(facts: RunFacts): RunSummary {
  const { state, task } = facts;
  const outcome = runOutcome(facts);
  const stages = Array.from({ length: task.stages }, (_, stage) => {
    const ended = state.ended.filter((one) => one.stage === stage).at(-1);
    const verdict = currentVerdict(facts, stage);
    const abandoned = state.abandoned.filter((one) => one.stage === stage).length;
    const begun = ended !== undefined || state.open?.stage === stage;
    return {
      stage,
      outcome: stageOutcome(facts, stage),
      attempts: abandoned + (begun ? 1 : 0),
      snapshot: ended?.tree ?? null,
      f2p: verdict?.f2p ?? null,
      p2p: verdict?.p2p ?? null,
      survivors: ended?.survivors ?? [],
      lost: ended?.lost.map(({ path, why }) => `${path} (${why})`) ?? [],
    };
  });
  const chain = currentVerdict(facts, 'chain');
  return {
    ...{ agent: facts.agent, task: task.id, attempt: facts.attempt },
    state: stateOf(facts),
    outcome,
    processes: state.processes,
    stages,
    chain: chain === null ? null : { f2p: chain.f2p, p2p: chain.p2p },
    abandoned: state.abandoned.map(({ stage, attempt, why, turn }) => ({
      ...{ stage, attempt, why },
      costUsd: turn?.usage?.costUsd ?? null,
    })),
  };
}

function stateOf(facts: RunFacts): RunSummary['state'] {
  const outcome = runOutcome(facts);
  if (!UNFINISHED_OUTCOMES.has(outcome)) return 'finished';
  return outcome === 'not-reached' ? 'running' : 'unfinished';
}
