import { UNFINISHED_OUTCOMES } from '#documents/outcomes.js';
import type { NumberedResult } from '#documents/read-results.js';
import type { ChainLine, InheritanceLine, LabelLine, StageLine, TaskLine } from '#documents/results.js';
import { Fault } from '#kernel/faults.js';
import { allOf } from './certainty.js';
import type { Run, RunSet, StageResult, TaskFacts, Verdict } from './run.js';

interface RunLines {
  agent: string;
  task: string;
  attempt: number;
  stages: StageLine[];
  chain: ChainLine | null;
  labels: LabelLine[];
  inheritance: InheritanceLine[];
}

interface SetLines {
  experiment: string | null;
  level: StageLine['level'];
  mode: StageLine['mode'];
  runs: Map<string, RunLines>;
}

/**
 * Puts result lines together to runs, and runs to sets that may be compared (one experiment, level and mode each).
 * Nothing depends on the order of the lines.
 * @throws Fault `results-stage-beyond-chain` (input) where a line names a stage that its task line does not have
 */
export function assembleRunSets(lines: readonly NumberedResult[]): RunSet[] {
  const tasks = taskFacts(lines);
  const sets = new Map<string, SetLines>();
  for (const { value: line } of lines) {
    if (line.kind === 'task' || line.kind === 'matrix') continue;
    const set = entryOf(sets, JSON.stringify([line.experiment, line.level, line.mode]), () => ({
      experiment: line.experiment,
      level: line.level,
      mode: line.mode,
      runs: new Map(),
    }));
    const run = entryOf(set.runs, JSON.stringify([line.agent, line.task, line.attempt]), () => ({
      agent: line.agent,
      task: line.task,
      attempt: line.attempt,
      stages: [],
      chain: null,
      labels: [],
      inheritance: [],
    }));
    if (line.kind === 'stage') run.stages.push(line);
    else if (line.kind === 'chain') run.chain = line;
    else if (line.kind === 'label') run.labels.push(line);
    else run.inheritance.push(line);
  }
  return byKey(sets).map((set) => assembleSet(set, tasks));
}

function assembleSet(set: SetLines, facts: ReadonlyMap<string, TaskFacts>): RunSet {
  const runLines = byKey(set.runs);
  const graded = {
    stages: runLines.some((run) => run.stages.length > 0),
    chains: runLines.some((run) => run.chain !== null),
  };
  const runs = runLines.map((run) => assembleRun(run, lengthOf(run.task, facts), graded));
  const finished = new Map<string, number>();
  for (const run of runs) {
    const key = JSON.stringify([run.agent, run.task]);
    if (run.unfinished === null) finished.set(key, (finished.get(key) ?? 0) + 1);
  }
  return {
    experiment: set.experiment,
    level: set.level,
    mode: set.mode,
    agents: sorted(new Set(runs.map((run) => run.agent))),
    tasks: sorted(new Set(runs.map((run) => run.task))).flatMap((task) => facts.get(task) ?? []),
    runs: runs.map((run) => ({ ...run, weight: 1 / (finished.get(JSON.stringify([run.agent, run.task])) ?? 1) })),
  };
}

/** What the lines of a set speak of at all: a run is only missing what others have. */
interface Graded {
  stages: boolean;
  chains: boolean;
}

function lengthOf(task: string, facts: ReadonlyMap<string, TaskFacts>): number {
  const length = facts.get(task)?.length ?? 0;
  if (length > 0) return length;
  throw new Fault({
    code: 'results-without-length',
    kind: 'input',
    message: `task ${JSON.stringify(task)} has results but no stage: its length is unknown`,
    hint: 'Add its stage lines, or a line of kind "task" with one entry per stage.',
  });
}

function assembleRun(lines: RunLines, length: number, graded: Graded): Run {
  const rounds = Array.from({ length }, (): StageLine[] => []);
  for (const line of lines.stages) rounds[line.stage]?.push(line);
  const stages = rounds.map(assembleStage);
  const { agent, task, attempt, chain, labels, inheritance } = lines;
  return {
    agent,
    task,
    attempt,
    length,
    stages,
    chain: chain === null ? null : { ...verdictOf(chain), line: chain },
    unfinished: whyUnfinished(stages, chain, graded),
    weight: 1,
    labels: labels.sort((a, b) => a.stage - b.stage || compare(a.label, b.label) || compare(a.judge, b.judge)),
    inheritance: inheritance.sort((a, b) => a.stage - b.stage),
  };
}

function assembleStage(lines: StageLine[]): StageResult | null {
  lines.sort((a, b) => a.round - b.round);
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return null;
  return { ...verdictOf(last), first: verdictOf(first), line: last, rounds: last.round };
}

function verdictOf({ f2p, p2p }: { f2p: boolean | null; p2p: boolean | null }): Verdict {
  return { f2p, p2p, passed: allOf([f2p, p2p]) };
}

function whyUnfinished(
  stages: readonly (StageResult | null)[],
  chain: ChainLine | null,
  graded: Graded,
): Run['unfinished'] {
  for (const [stage, result] of stages.entries()) {
    const outcome = result?.line.outcome ?? null;
    if (outcome !== null && UNFINISHED_OUTCOMES.has(outcome)) return { stage, why: outcome };
  }
  if (chain?.outcome != null && UNFINISHED_OUTCOMES.has(chain.outcome)) return { stage: null, why: chain.outcome };
  // Where nothing in the set has a kind of gate, the figures that need it say so; one run without it has not ended.
  const absent = stages.indexOf(null);
  if (absent !== -1 && graded.stages) return { stage: absent, why: 'no result line' };
  if (chain === null && graded.chains) return { stage: null, why: 'no result line' };
  return null;
}

function taskFacts(lines: readonly NumberedResult[]): Map<string, TaskFacts> {
  const described = new Map<string, TaskLine>();
  for (const { value } of lines) if (value.kind === 'task') described.set(value.task, value);
  const facts = new Map<string, TaskFacts>();
  for (const { where, line, value } of lines) {
    const known = described.get(value.task) ?? null;
    const seen = value.kind === 'stage' || value.kind === 'label' || value.kind === 'inheritance' ? value.stage + 1 : 0;
    const length = known?.stages.length ?? Math.max(seen, facts.get(value.task)?.length ?? 0);
    if (seen > length) {
      throw new Fault({
        code: 'results-stage-beyond-chain',
        kind: 'input',
        message: `${where}: line ${line}: stage ${seen - 1} of task ${JSON.stringify(value.task)}, whose task line has ${length} stages`,
        hint: 'Stages count from 0. Correct the stage, or the list of stages in the task line.',
      });
    }
    facts.set(value.task, { task: value.task, length, lengthInferred: known === null, line: known });
  }
  return facts;
}

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const held = map.get(key);
  if (held !== undefined) return held;
  const made = make();
  map.set(key, made);
  return made;
}

function byKey<T>(map: ReadonlyMap<string, T>): T[] {
  return [...map.entries()].sort(([a], [b]) => compare(a, b)).map(([, value]) => value);
}

function sorted(names: ReadonlySet<string>): string[] {
  return [...names].sort(compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
