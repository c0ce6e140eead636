import type { Experiment } from '#documents/experiment.js';
import { type Outcome, UNFINISHED_OUTCOMES } from '#documents/outcomes.js';
import { type ResultLine, resultLine } from '#documents/results.js';
import type { StageEnded } from '#documents/run-events.js';
import type { Verdict } from '#documents/verdict.js';
import type { GatePlace, RunState } from './fold-run.js';

/** Everything that one run's lines are made of. */
export interface RunFacts {
  experiment: Experiment;
  task: Experiment['tasks'][number];
  agent: string;
  attempt: number;
  state: RunState;
  verdicts: ReadonlyMap<GatePlace, Verdict>;
}

/** The stage lines of a run in order and, in chain mode, its chain line. Stages not reached have a line that says so. */
export function runLines(facts: RunFacts): ResultLine[] {
  const stages = Array.from({ length: facts.task.stages }, (_, stage) => stageLineOf(facts, stage));
  return facts.experiment.protocol.mode === 'chain' ? [...stages, chainLineOf(facts)] : stages;
}

/** What became of a stage, its gate included. */
export function stageOutcome(facts: RunFacts, stage: number): Outcome {
  const ended = endedStage(facts, stage);
  if (ended === null) {
    const { parked } = facts.state;
    return parked?.stage === stage && isParking(parked.why) ? parked.why : 'not-reached';
  }
  return gateOutcome(facts, stage) ?? ended.outcome;
}

/** What became of a run as a whole: what keeps it unfinished, else the first stage outcome that is not `completed`. */
export function runOutcome(facts: RunFacts): Outcome {
  const outcomes = Array.from({ length: facts.task.stages }, (_, stage) => stageOutcome(facts, stage));
  if (facts.experiment.protocol.mode === 'chain') outcomes.push(gateOutcome(facts, 'chain') ?? 'completed');
  const unfinished = outcomes.find((outcome) => UNFINISHED_OUTCOMES.has(outcome));
  return unfinished ?? outcomes.find((outcome) => outcome !== 'completed') ?? 'completed';
}

/** A verdict under another suite than today's says nothing about today's. */
export function currentVerdict(facts: RunFacts, place: GatePlace): Verdict | null {
  const verdict = facts.verdicts.get(place);
  const due = facts.task.suites[place === 'chain' ? facts.task.stages : place];
  return verdict !== undefined && verdict.gateDigest === due ? verdict : null;
}

/** The outcome that a gate imposes, or null where it was held and says something. */
function gateOutcome(facts: RunFacts, place: GatePlace): Outcome | null {
  const verdict = currentVerdict(facts, place);
  if (verdict !== null) return verdict.valid ? null : 'grader-invalid';
  // Graded, but under an older suite: what the agent did stands, only the verdict is unknown until it is renewed.
  if (facts.verdicts.has(place)) return null;
  return facts.state.failedGates.has(place) ? 'environment-error' : 'not-reached';
}

function endedStage(facts: RunFacts, stage: number): StageEnded | null {
  const rounds = facts.state.ended.filter((ended) => ended.stage === stage);
  return rounds.at(-1) ?? null;
}

function isParking(why: string): why is 'provider-error' | 'environment-error' {
  return why === 'provider-error' || why === 'environment-error';
}

function identityOf({ experiment, task, agent, attempt }: RunFacts) {
  const { level, mode } = experiment.protocol;
  return { experiment: experiment.name, level, mode, agent, task: task.id, attempt };
}

function verdictFields(verdict: Verdict | null, experiment: Experiment) {
  const count = (kind: 'f2p' | 'p2p', passed: boolean) =>
    verdict?.tests.filter((test) => test.kind === kind && (!passed || test.status === 'pass')).length ?? null;
  return {
    f2p: verdict?.valid === true ? verdict.f2p : null,
    p2p: verdict?.valid === true ? verdict.p2p : null,
    failure: verdict === null ? null : failureOf(verdict),
    marks: verdict === null ? null : [...new Set(verdict.marks.map(({ mark }) => mark))].sort(),
    flips: verdict === null ? null : verdict.flips.length,
    tests:
      verdict === null
        ? null
        : {
            ...{ f2pPassed: count('f2p', true), f2pTotal: count('f2p', false) },
            ...{ p2pPassed: count('p2p', true), p2pTotal: count('p2p', false) },
          },
    sandbox: experiment.sandbox.kind,
  };
}

/** Why a suite failed: as a whole, or because tests of it failed; null where it passed or nothing can be said. */
function failureOf(verdict: Verdict): Verdict['failure'] {
  if (verdict.failure !== null || !verdict.valid) return verdict.failure;
  return verdict.f2p === false || verdict.p2p === false ? 'tests' : null;
}

function stageLineOf(facts: RunFacts, stage: number): ResultLine {
  const ended = endedStage(facts, stage);
  const words = facts.task.specWords.slice(0, stage + 1);
  const usage = ended?.turn.usage ?? null;
  return resultLine.parse({
    kind: 'stage',
    ...identityOf(facts),
    stage,
    round: ended?.round ?? 0,
    outcome: stageOutcome(facts, stage),
    ...verdictFields(ended === null ? null : currentVerdict(facts, stage), facts.experiment),
    changedFiles: ended?.changedFiles ?? null,
    revisitedFiles: ended?.revisitedFiles ?? null,
    specWords: words.at(-1) ?? null,
    cumulativeSpecWords: words.reduce((sum, count) => sum + count, 0),
    usage:
      usage === null
        ? null
        : {
            ...{ input: usage.input, cachedInput: usage.cachedInput },
            ...{ output: usage.output, costUsd: usage.costUsd },
          },
    seconds: ended === null ? null : ended.wallMs / 1000,
    overheadSeconds: ended === null ? null : ended.overheadMs / 1000,
  });
}

function chainLineOf(facts: RunFacts): ResultLine {
  return resultLine.parse({
    kind: 'chain',
    ...identityOf(facts),
    outcome: runOutcome(facts),
    ...verdictFields(currentVerdict(facts, 'chain'), facts.experiment),
  });
}
