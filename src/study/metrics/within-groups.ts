import type { Observation } from './metric.js';
import type { Run } from './run.js';
import type { Tally } from './tally.js';

/** One stage of one run under one of two conditions. */
export interface ConditionedStage {
  readonly stage: number;
  readonly condition: 'left' | 'right';
  readonly observation: Observation;
}

interface Group {
  task: string;
  left: { sum: number; weight: number; of: number; raw: number };
  right: { sum: number; weight: number; of: number; raw: number };
}

/**
 * Compares two conditions with task and stage held fixed: agents are split by condition, groups with both are kept,
 * rates are taken per group, and groups weigh equally. Both tallies have the groups as their denominators.
 */
export function tallyWithinGroups(
  runs: readonly Run[],
  tasks: readonly string[],
  split: (run: Run) => readonly ConditionedStage[],
): { left: Tally; right: Tally; groups: number } {
  const groups = new Map<string, Group>();
  for (const run of runs) {
    if (run.unfinished !== null) continue;
    for (const { stage, condition, observation } of split(run)) {
      if (observation === null) continue;
      const key = JSON.stringify([run.task, stage]);
      const group = groups.get(key) ?? { task: run.task, left: emptySide(), right: emptySide() };
      groups.set(key, group);
      const side = group[condition];
      side.sum += run.weight * observation;
      side.weight += run.weight;
      side.of += 1;
      side.raw += observation;
    }
  }
  const kept = [...groups.values()].filter(({ left, right }) => left.of > 0 && right.of > 0);
  return { left: tallySide(kept, tasks, 'left'), right: tallySide(kept, tasks, 'right'), groups: kept.length };
}

function emptySide(): Group['left'] {
  return { sum: 0, weight: 0, of: 0, raw: 0 };
}

function tallySide(groups: readonly Group[], tasks: readonly string[], name: 'left' | 'right'): Tally {
  const places = new Map(tasks.map((task, place) => [task, place]));
  const numerators = new Array<number>(tasks.length).fill(0);
  const denominators = new Array<number>(tasks.length).fill(0);
  for (const group of groups) {
    const place = places.get(group.task);
    if (place === undefined) continue;
    const side = group[name];
    numerators[place] = (numerators[place] ?? 0) + side.sum / side.weight;
    denominators[place] = (denominators[place] ?? 0) + 1;
  }
  const sides = groups.map((group) => group[name]);
  return {
    numerators,
    denominators,
    sum: sides.reduce((sum, side) => sum + side.raw, 0),
    of: sides.reduce((sum, side) => sum + side.of, 0),
    unknown: 0,
  };
}
