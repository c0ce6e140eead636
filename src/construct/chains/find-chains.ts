import { type EvidenceType, evidenceTypes, type Rejection, searchNames } from '#documents/chains.js';
import { mapLimited } from '#kernel/async.js';
import { buildGraph } from './build-graph.js';
import type { ChainFindings, ChainOptions } from './chains.js';
import { describeChain } from './describe/describe-chain.js';
import { FeatureProfile } from './feature-profile.js';
import type { Past } from './past.js';
import { makeRanker } from './rank/chain-ranker.js';
import { oneTellingEach, orderByNews } from './rank/choose-diverse.js';
import { tellingScore } from './rank/relation-score.js';
import { reviewByRules } from './review/review-by-rules.js';
import { reviewProposal } from './review/review-proposal.js';
import { chooseProposals } from './search/choose-proposals.js';
import { runSearches } from './search/run-searches.js';

const DEFAULT_LIMIT = 30;
/** For each chain asked for, so many are reviewed: reviews may cost money, and the best stay the best. */
const REVIEWED_PER_CHAIN = 2;
/** A chain has as many stages as a task can: fewer are no chain, more nobody would sit through. */
const STAGES = { least: 2, most: 10 };

/**
 * Finds the feature chains of a history: evidence graph, searches, review, ranking. The same history, options and seed
 * give the same answer, in whatever order the groups are listed.
 */
export async function findChains(past: Past, options: ChainOptions = {}): Promise<ChainFindings> {
  const maxStages = Math.min(STAGES.most, Math.max(STAGES.least, options.maxStages ?? STAGES.most));
  const minStages = Math.min(maxStages, Math.max(STAGES.least, options.minStages ?? STAGES.least));
  const limit = options.limit ?? DEFAULT_LIMIT;
  const reviewer = options.reviewer ?? reviewByRules;
  const allowed = new Set<EvidenceType>(options.evidence ?? evidenceTypes.options);
  const built = buildGraph(past, allowed, options.allowUntested ?? false);
  const { nodes, index, links, worth } = built;
  const profile = new FeatureProfile(index);
  const space = { nodes, index, links, worth, maxStages, profile };
  const { proposals, candidates } = runSearches(options.searches ?? searchNames.options, space, options.seed ?? '0');
  const by = options.rank ?? 'total';
  const ranker = makeRanker(past, built, profile, by);
  const { chosen, repeated, loose } = chooseProposals(proposals, ranker);
  const reviewed = await mapLimited(
    chosen.slice(0, limit * REVIEWED_PER_CHAIN),
    options.reviewsAtATime ?? 1,
    (proposal) => reviewProposal(proposal, { built, space, reviewer, minStages }),
  );
  const ranked = reviewed
    .filter(({ stages }) => stages.length > 0)
    .map((each) => ({
      reviewed: each,
      nodes: each.stages.flat(),
      rank: ranker.rank(each.stages),
      telling: tellingScore(ranker.measure(each.stages.flat())),
    }));
  const order = ({ rank }: (typeof ranked)[number]): number => (by === 'relation' ? rank.relation.score : rank.total);
  const { told, repeated: same } = oneTellingEach([...ranked].sort((a, b) => b.telling - a.telling));
  const inOrder = orderByNews(told, order);
  void [repeated, loose, same];
  const rejections: Rejection[] = [...built.rejections];
  const chains = inOrder.slice(0, limit).map((each) => describeChain(each.reviewed, each.rank, built, reviewer));
  return { chains, rejections, graph: built.graph, candidates };
}
