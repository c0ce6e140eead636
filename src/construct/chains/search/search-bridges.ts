import type { ChainCandidate } from '../chains.js';
import type { Link } from '../graph/connect-groups.js';
import { MIN_WORTH } from './grow-chain.js';
import { meanAffinity } from './mean-affinity.js';
import type { SearchSpace } from './search-space.js';

/** Ends are tied at least this strongly. */
const MIN_ENDS = 0.5;
/** A group between the ends is tied to both at least this share of how the ends are tied to each other. */
const NEAR_SHARE = 0.7;
/** Pairs of ends that are tried per node. */
const PAIRS_PER_NODE = 1;

/**
 * Endpoint bridging: between two groups that are surely related, the longest way through history whose every step is
 * nearly as sure. So a feature is found whole although its first and last stage say little of each other.
 */
export function searchBridges(space: SearchSpace): ChainCandidate[] {
  const ends = space.links.all
    .filter(
      ({ from, to, weight }) =>
        weight >= MIN_ENDS && worthOf(space, from) >= MIN_WORTH && worthOf(space, to) >= MIN_WORTH,
    )
    .sort((a, b) => b.weight * spread(b) - a.weight * spread(a) || a.from - b.from || a.to - b.to)
    .slice(0, Math.ceil(space.nodes.length * PAIRS_PER_NODE));
  const found: ChainCandidate[] = [];
  for (const end of ends) {
    const stages = bridge(space, end);
    if (stages.length >= 3) found.push({ stages, foundBy: 'bridge', score: meanAffinity(space, stages) });
  }
  return found;
}

/** Ends far from each other have more to bridge. */
function spread({ from, to }: Link): number {
  return Math.log2(2 + to - from);
}

function worthOf({ worth }: SearchSpace, node: number): number {
  return worth[node] ?? 0;
}

function bridge(space: SearchSpace, { from, to, weight }: Link): number[] {
  const limit = weight * NEAR_SHARE;
  const between = space.links
    .of(from)
    .filter(
      (link) => link.from === from && link.to < to && link.weight >= limit && worthOf(space, link.to) >= MIN_WORTH,
    )
    .map((link) => link.to)
    .filter((node) => (space.links.between(node, to)?.weight ?? 0) >= limit)
    .sort((a, b) => a - b);
  // Longest way in a graph without cycles: history only goes on.
  const way = [from, ...between, to];
  const best = way.map(() => ({ length: 1, before: -1 }));
  for (let at = 1; at < way.length; at += 1) {
    for (let earlier = 0; earlier < at; earlier += 1) {
      const step = space.links.between(way[earlier] ?? 0, way[at] ?? 0)?.weight ?? 0;
      const length = (best[earlier]?.length ?? 0) + 1;
      if (step >= limit && length > (best[at]?.length ?? 0)) best[at] = { length, before: earlier };
    }
  }
  const stages: number[] = [];
  for (let at = way.length - 1; at >= 0; at = best[at]?.before ?? -1) stages.unshift(way[at] ?? 0);
  return withoutExcess(space, stages);
}

/** Of too many stages those stay that are most likely ones; the ends always stay. */
function withoutExcess(space: SearchSpace, stages: number[]): number[] {
  if (stages.length <= space.maxStages) return stages;
  const inner = stages.slice(1, -1).sort((a, b) => worthOf(space, b) - worthOf(space, a) || a - b);
  const kept = new Set([stages[0], stages.at(-1), ...inner.slice(0, space.maxStages - 2)]);
  return stages.filter((stage) => kept.has(stage));
}
