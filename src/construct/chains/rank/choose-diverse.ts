export interface Rankable {
  id: string;
  /** Groups of all stages. */
  groups: readonly string[];
}

export interface Choice<T> {
  chosen: T[];
  /** What was left out, with the better chain it repeats. */
  repeated: { chain: T; instead: T; shared: number }[];
}

/**
 * From chains, best first, those that are different features: one that shares `sameShare` of the groups of the smaller
 * of both with a better one is the same feature told worse.
 */
export function chooseDiverse<T extends Rankable>(chains: readonly T[], sameShare: number): Choice<T> {
  const chosen: T[] = [];
  const repeated: Choice<T>['repeated'] = [];
  const usedBy = new Map<string, T[]>();
  for (const chain of chains) {
    const overlaps = new Map<T, number>();
    for (const group of chain.groups)
      for (const better of usedBy.get(group) ?? []) overlaps.set(better, (overlaps.get(better) ?? 0) + 1);
    const worst = [...overlaps].find(
      ([better, shared]) => shared / Math.min(chain.groups.length, better.groups.length) >= sameShare,
    );
    if (worst !== undefined) {
      repeated.push({ chain, instead: worst[0], shared: worst[1] });
      continue;
    }
    chosen.push(chain);
    for (const group of chain.groups) usedBy.set(group, [...(usedBy.get(group) ?? []), chain]);
  }
  return { chosen, repeated };
}
