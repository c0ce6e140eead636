/** Chains that share more than this of the smaller one's groups tell one feature. */
const SAME_SHARE = 0.5;
/** From this size on sharing just half is too much as well; two changes may well belong to two features. */
const LARGE = 4;

export interface Repeated<T> {
  chain: T;
  /** The chain that tells the same feature better. */
  instead: T;
  shared: number;
}

interface WithStages {
  /** Nodes of all stages. */
  nodes: readonly number[];
}

/** From chains, best told first, one telling of each feature. */
export function oneTellingEach<T extends WithStages>(chains: readonly T[]): { told: T[]; repeated: Repeated<T>[] } {
  const told: T[] = [];
  const repeated: Repeated<T>[] = [];
  const usedBy = new Map<number, T[]>();
  for (const chain of chains) {
    const overlaps = new Map<T, number>();
    for (const node of chain.nodes)
      for (const better of usedBy.get(node) ?? []) overlaps.set(better, (overlaps.get(better) ?? 0) + 1);
    const same = [...overlaps].find(([better, shared]) => isSame(shared, chain.nodes.length, better.nodes.length));
    if (same !== undefined) {
      repeated.push({ chain, instead: same[0], shared: same[1] });
      continue;
    }
    told.push(chain);
    for (const node of chain.nodes) usedBy.set(node, [...(usedBy.get(node) ?? []), chain]);
  }
  return { told, repeated };
}

function isSame(shared: number, a: number, b: number): boolean {
  const smaller = Math.min(a, b);
  return shared > smaller * SAME_SHARE || (smaller >= LARGE && shared === smaller * SAME_SHARE);
}

export interface InOrder<T> {
  chain: T;
  /** Nodes of it that no chain before it has. */
  fresh: number;
}

/**
 * Orders chains by their score times the share of stages that no chain before has: the top of the list shows different
 * features. Chains come with ties already in order.
 */
export function orderByNews<T extends WithStages>(chains: readonly T[], scoreOf: (chain: T) => number): InOrder<T>[] {
  const left = chains.map((chain) => ({ chain, score: scoreOf(chain) }));
  const seen = new Set<number>();
  const ordered: InOrder<T>[] = [];
  while (left.length > 0) {
    let best = 0;
    let bestValue = -1;
    let bestFresh = 0;
    left.forEach(({ chain, score }, at) => {
      const fresh = chain.nodes.filter((node) => !seen.has(node)).length;
      const value = (score * fresh) / chain.nodes.length;
      if (value > bestValue) {
        best = at;
        bestValue = value;
        bestFresh = fresh;
      }
    });
    const [picked] = left.splice(best, 1);
    if (picked === undefined) break;
    for (const node of picked.chain.nodes) seen.add(node);
    ordered.push({ chain: picked.chain, fresh: bestFresh });
  }
  return ordered;
}
