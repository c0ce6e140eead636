import type { BuiltGraph } from '../build-graph.js';
import type { FeatureProfile } from '../feature-profile.js';
import type { Past } from '../past.js';
import { type ChainTraits, TraitMeter } from './chain-traits.js';
import { type ChainScores, rankChain } from './rank-chain.js';
import { relationScore } from './relation-score.js';
import { RemovalCost } from './removal-cost.js';

/** Ranks chains, given as nodes. */
export interface ChainRanker {
  measure(nodes: readonly number[]): ChainTraits;
  rank(stages: readonly (readonly number[])[]): ChainScores;
  /** What the list is ordered by, for chains whose traits are known: 0 to 1, more is better. */
  order(nodes: readonly number[], traits: ChainTraits): number;
}

export function makeRanker(
  past: Past,
  { nodes, index, worth }: BuiltGraph,
  profile: FeatureProfile,
  by: 'total' | 'relation',
): ChainRanker {
  const cost = new RemovalCost(past);
  const meter = new TraitMeter(index, worth, profile);
  const groups = (stage: readonly number[]) => stage.flatMap((node) => nodes[node] ?? []);
  return {
    measure: (stages) => meter.measure(stages),
    rank: (stages) => rankChain(meter.measure(stages.flat()), stages.map(groups), cost),
    order: (stages, traits) =>
      by === 'relation'
        ? relationScore(traits)
        : rankChain(
            traits,
            stages.map((node) => groups([node])),
            cost,
          ).total,
  };
}
