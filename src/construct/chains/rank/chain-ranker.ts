import type { Chain } from '#documents/chains.js';
import type { Past } from '../past.js';
import type { SearchSpace } from '../search/search-space.js';
import { rankChain } from './rank-chain.js';
import { RemovalCost } from './removal-cost.js';

/** Ranks chains, given as nodes stage by stage. */
export interface ChainRanker {
  rank(stages: readonly (readonly number[])[]): Chain['rank'];
  /** What the list is ordered by, more is better. */
  order(rank: Chain['rank']): number;
}

export function makeRanker(past: Past, space: Omit<SearchSpace, 'random'>, by: 'total' | 'relation'): ChainRanker {
  const cost = new RemovalCost(past);
  return {
    rank: (stages) => {
      space.profile.set(stages.flat());
      const best = (stage: readonly number[], value: (node: number) => number): number => Math.max(...stage.map(value));
      return rankChain(
        {
          stages: stages.map((stage) => stage.flatMap((node) => space.nodes[node] ?? [])),
          affinities: stages.map((stage) => best(stage, (node) => space.profile.affinity(node))),
          worths: stages.map((stage) => best(stage, (node) => space.worth[node] ?? 0)),
        },
        cost,
      );
    },
    order: (rank) => (by === 'relation' ? rank.relation.score : rank.total),
  };
}
