import type { Past, PastGroup } from '../past.js';

/** Which groups work on which definitions, hubs included: what taking a chain out of later code runs into. */
export class RemovalCost {
  private readonly touching = new Map<string, number[]>();

  constructor(past: Pick<Past, 'groups'>) {
    for (const group of past.groups) {
      if (group.landedBy === null) continue;
      for (const key of new Set(keysOf(group))) {
        const held = this.touching.get(key);
        if (held === undefined) this.touching.set(key, [group.landedBy]);
        else held.push(group.landedBy);
      }
    }
    for (const list of this.touching.values()) list.sort((a, b) => a - b);
  }

  /**
   * Changes of others, after a stage and until the chain's end, to definitions that the stage made or changed:
   * each is a place where plain removal may conflict.
   */
  overlaps(stages: readonly (readonly PastGroup[])[]): number {
    const own = new Set(stages.flat().map(({ landedBy }) => landedBy));
    const end = Math.max(...stages.flat().map(({ landedBy }) => landedBy ?? -1));
    const met = new Set<string>();
    for (const stage of stages)
      for (const group of stage)
        for (const key of keysOf(group))
          for (const at of this.touching.get(key) ?? [])
            if (at > (group.landedBy ?? -1) && at <= end && !own.has(at)) met.add(`${key}\0${at}`);
    return met.size;
  }
}

function keysOf({ definitions }: PastGroup): string[] {
  return definitions.filter(({ inTest }) => !inTest).map(({ key }) => key);
}
