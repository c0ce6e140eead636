import { type Chain, type EvidenceType, evidenceTypes, searchNames } from '#documents/chains.js';
import { mapLimited } from '#kernel/async.js';
import { buildGraph } from './build-graph.js';
import type { ChainFindings, ChainOptions } from './chains.js';
import { chainId, describeChain } from './describe/describe-chain.js';
import { FeatureProfile } from './feature-profile.js';
import type { Past } from './past.js';
import { makeRanker } from './rank/chain-ranker.js';
import { chooseDiverse } from './rank/choose-diverse.js';
import { reviewByRules } from './review/review-by-rules.js';
import { type Reviewed, reviewProposal } from './review/review-proposal.js';
import { settleProposals } from './review/settle-proposals.js';
import { compareStages, runSearches } from './search/run-searches.js';
import { hasTests, stageWorth } from './stage-worth.js';

const DEFAULT_LIMIT = 30;
/** For each chain asked for, so many are reviewed: reviews may cost money, and the best stay the best. */
const REVIEWED_PER_CHAIN = 3;
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
  const built = buildGraph(past, new Set<EvidenceType>(options.evidence ?? evidenceTypes.options));
  const { nodes, index, links } = built;
  const worth = nodes.map((group) => (options.allowUntested === true || hasTests(group) ? stageWorth(group) : 0));
  const space = { nodes, index, links, worth, maxStages, profile: new FeatureProfile(index) };
  const { proposals, candidates } = runSearches(options.searches ?? searchNames.options, space, options.seed ?? '0');
  const ranker = makeRanker(past, space, options.rank ?? 'total');
  const { settled, loose } = settleProposals(proposals, space, minStages);
  const promising = settled
    .map((proposal) => ({ proposal, score: ranker.order(ranker.rank(proposal.stages.map((node) => [node]))) }))
    .sort((a, b) => b.score - a.score || compareStages(a.proposal.stages, b.proposal.stages))
    .map(({ proposal }) => ({ id: proposal.stages.join(), groups: proposal.stages.map(String), proposal }));
  const first = chooseDiverse(promising, 0.75);
  const reviewed = await mapLimited(
    first.chosen.slice(0, limit * REVIEWED_PER_CHAIN),
    options.reviewsAtATime ?? 1,
    ({ proposal }) => reviewProposal(proposal, { built, space, reviewer, minStages }),
  );
  const ranked = new Map<string, Ranked>();
  for (const each of reviewed) {
    if (each.stages.length === 0) continue;
    const groups = each.stages.map((stage) => stage.flatMap((node) => nodes[node] ?? []));
    const id = chainId(groups.map((stage) => stage.flatMap(({ commits }) => commits)));
    if (!ranked.has(id))
      ranked.set(id, {
        id,
        groups: groups.flat().map((group) => group.id),
        rank: ranker.rank(each.stages),
        reviewed: each,
      });
  }
  const inOrder = [...ranked.values()].sort(
    (a, b) => ranker.order(b.rank) - ranker.order(a.rank) || (a.id < b.id ? -1 : 1),
  );
  const { chosen } = chooseDiverse(inOrder, 0.5);
  const chains = chosen.slice(0, limit).map((each) => describeChain(each.reviewed, each.rank, built, reviewer));
  void loose;
  return { chains, rejections: built.rejections, graph: built.graph, candidates };
}

interface Ranked {
  id: string;
  groups: string[];
  rank: Chain['rank'];
  reviewed: Reviewed;
}
