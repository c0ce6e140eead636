import type { Chain } from '#documents/chains.js';
import type { Rejected } from '../describe/describe-rejection.js';
import type { Reviewed } from '../review/review-proposal.js';
import type { ChainRanker } from './chain-ranker.js';
import { type InOrder, oneTellingEach, orderByNews } from './choose-diverse.js';
import type { ChainScores } from './rank-chain.js';
import { tellingScore } from './relation-score.js';

type Scored = Omit<RankedReview, 'rank'> & { rank: ChainScores };

export interface RankedReview {
  reviewed: Reviewed;
  nodes: number[];
  rank: Chain['rank'];
}

/** Of reviewed chains one telling of each feature, best first, at most `limit`; and why the others are left out. */
export function chooseReviewed(
  reviews: readonly Reviewed[],
  ranker: ChainRanker,
  by: 'total' | 'relation',
  limit: number,
): { chosen: RankedReview[]; rejected: Rejected[] } {
  const ranked = reviews
    .filter(({ stages }) => stages.length > 0)
    .map((reviewed) => {
      const nodes = reviewed.stages.flat();
      return { reviewed, nodes, rank: ranker.rank(reviewed.stages), telling: tellingScore(ranker.measure(nodes)) };
    })
    .sort((a, b) => b.telling - a.telling);
  const { told, repeated } = oneTellingEach(ranked);
  const inOrder = orderByNews(told, ({ rank }) => (by === 'relation' ? rank.relation.score : rank.total)).map(
    withNovelty,
  );
  const rejected: Rejected[] = [
    ...reviews
      .filter(({ stages }) => stages.length === 0)
      .map(({ proposal, decision }) => ({
        stages: proposal.stages.map((node) => [node]),
        step: 'review' as const,
        reason: decision.summary,
      })),
    ...repeated.map(({ chain, instead, shared }) => ({
      stages: chain.reviewed.stages,
      step: 'merge' as const,
      reason: `after review ${shared} of its ${chain.nodes.length} groups stand in a chain that tells the feature better`,
      instead: instead.reviewed.stages,
    })),
    ...inOrder.slice(limit).map(({ reviewed, rank }, at) => ({
      stages: reviewed.stages,
      step: 'rank' as const,
      reason: `number ${limit + at + 1} by ${by} (${(by === 'relation' ? rank.relation.score : rank.total).toFixed(3)}) times novelty (${rank.novelty.score.toFixed(2)}); ${limit} were asked for`,
    })),
  ];
  return { chosen: inOrder.slice(0, limit), rejected };
}

function withNovelty({ chain, fresh }: InOrder<Scored>): RankedReview {
  const all = chain.nodes.length;
  const why = `${fresh} of its ${all} changes stand in no chain before it in the list`;
  return { ...chain, rank: { ...chain.rank, novelty: { score: Math.round((10_000 * fresh) / all) / 10_000, why } } };
}
