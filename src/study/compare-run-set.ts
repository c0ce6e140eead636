import type { Comparison } from '#documents/findings.js';
import { differenceOf, figureOf, type Inference } from './figures.js';
import {
  type ConditionedStage,
  chainGatePass,
  firstStagePass,
  type Metric,
  nextStageF2p,
  type Run,
  type RunSet,
  splitByCriteria,
  splitByPreviousGate,
  splitBySelfTest,
  type Tally,
  tallyWithinGroups,
} from './metrics/index.js';

/** What a metric comes to for one agent, or for all of them (null). */
export type TallyOf = (agent: string | null, metric: Metric) => Tally;

export interface RunSetToCompare {
  readonly set: RunSet;
  readonly tasks: readonly string[];
  /** The best first. */
  readonly agents: readonly string[];
  /** The agents and, where there are several, null for all together. */
  readonly rows: readonly (string | null)[];
  readonly tally: TallyOf;
  readonly inference: Inference;
}

/** Every comparison of one set: two shares, and their difference paired by task. */
export function compareRunSet({ set, tasks, agents, rows, tally, inference }: RunSetToCompare): Comparison[] {
  return [
    ...rows.map((agent) => compareFirstStageAndGate(agent, tally, inference)),
    ...rows.map((agent) => compareAfterPrevious(agent, tally, inference)),
    ...WITHIN_GROUPS.map((within) => compareWithinGroups(within, { set, tasks, inference })),
    ...compareWithLeader(agents, tally, inference),
  ];
}

interface WithinGroups {
  readonly id: string;
  readonly title: string;
  readonly left: string;
  readonly right: string;
  readonly split: (run: Run) => ConditionedStage[];
}

/** F2P under two conditions with task and stage held fixed. */
const WITHIN_GROUPS: readonly WithinGroups[] = [
  {
    id: 'next-stage-f2p-within',
    title: 'F2P by previous gate, within task and stage',
    left: 'after passed',
    right: 'after failed',
    split: splitByPreviousGate,
  },
  {
    id: 'self-test-within',
    title: 'F2P by self-test, within task and stage',
    left: 'green',
    right: 'red',
    split: splitBySelfTest,
  },
  {
    id: 'criteria-within',
    title: 'F2P by aim of the checks, within task and stage',
    left: 'all criteria',
    right: 'some criteria',
    split: splitByCriteria,
  },
];

function compareWithinGroups(
  { id, title, left, right, split }: WithinGroups,
  { set, tasks, inference }: Pick<RunSetToCompare, 'set' | 'tasks' | 'inference'>,
): Comparison {
  const tallies = tallyWithinGroups(set.runs, tasks, split);
  return {
    id,
    title,
    agent: null,
    left: { label: left, figure: figureOf(tallies.left, inference) },
    right: { label: right, figure: figureOf(tallies.right, inference) },
    difference: differenceOf(tallies.left, tallies.right, inference),
    groups: tallies.groups,
  };
}

function compareFirstStageAndGate(agent: string | null, tally: TallyOf, inference: Inference): Comparison {
  const left = tally(agent, firstStagePass('last'));
  const right = tally(agent, chainGatePass);
  return {
    id: 'm0-gate',
    title: 'First stage against whole feature',
    agent,
    left: { label: 'm0', figure: figureOf(left, inference) },
    right: { label: 'Gate', figure: figureOf(right, inference) },
    difference: differenceOf(left, right, inference),
    groups: null,
  };
}

function compareAfterPrevious(agent: string | null, tally: TallyOf, inference: Inference): Comparison {
  const left = tally(agent, nextStageF2p('passed'));
  const right = tally(agent, nextStageF2p('failed'));
  return {
    id: 'next-stage-f2p',
    title: 'F2P after a passed and after a failed stage',
    agent,
    left: { label: 'after passed', figure: figureOf(left, inference) },
    right: { label: 'after failed', figure: figureOf(right, inference) },
    difference: differenceOf(left, right, inference),
    groups: null,
  };
}

/** Each agent against the first of the table, over the tasks that both have. */
function compareWithLeader(agents: readonly string[], tally: TallyOf, inference: Inference): Comparison[] {
  const [leader, ...others] = agents;
  if (leader === undefined) return [];
  return others.map((agent) => {
    const [left, right] = overSharedTasks(tally(agent, chainGatePass), tally(leader, chainGatePass));
    return {
      id: 'gate-to-leader',
      title: `Gate against ${leader}`,
      agent,
      left: { label: agent, figure: figureOf(left, inference) },
      right: { label: leader, figure: figureOf(right, inference) },
      difference: differenceOf(left, right, inference),
      groups: null,
    };
  });
}

function overSharedTasks(left: Tally, right: Tally): [Tally, Tally] {
  const shared = (task: number): boolean => (left.denominators[task] ?? 0) > 0 && (right.denominators[task] ?? 0) > 0;
  const keep = (tally: Tally): Tally => ({
    ...tally,
    numerators: tally.numerators.map((numerator, task) => (shared(task) ? numerator : 0)),
    denominators: tally.denominators.map((denominator, task) => (shared(task) ? denominator : 0)),
  });
  return [keep(left), keep(right)];
}
