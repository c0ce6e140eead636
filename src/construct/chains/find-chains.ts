import { type EvidenceType, evidenceTypes, type Rejection, searchNames } from '#documents/chains.js';
import { mapLimited } from '#kernel/async.js';
import { buildGraph } from './build-graph.js';
import type { ChainFindings, ChainOptions } from './chains.js';
import { describeChain } from './describe/describe-chain.js';
import { describeRejection, type Rejected } from './describe/describe-rejection.js';
import { FeatureProfile } from './feature-profile.js';
import type { Past } from './past.js';
import { makeRanker } from './rank/chain-ranker.js';
import { chooseReviewed } from './rank/choose-reviewed.js';
import { reviewByRules } from './review/review-by-rules.js';
import { reviewProposal } from './review/review-proposal.js';
import { type ChosenProposals, chooseProposals } from './search/choose-proposals.js';
import { runSearches } from './search/run-searches.js';

const DEFAULT_LIMIT = 30;
/** For each chain asked for, so many are reviewed: the best stay the best, and reviews of others may cost money. */
const REVIEWED_PER_CHAIN = { byRules: 4, byOthers: 2 };
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
  const by = options.rank ?? 'total';
  const allowed = new Set<EvidenceType>(options.evidence ?? evidenceTypes.options);
  const built = buildGraph(past, allowed, options.allowUntested ?? false);
  const { nodes, index, links, worth, worthUntested } = built;
  const profile = new FeatureProfile(index);
  const space = { nodes, index, links, worth, worthUntested, maxStages, profile };
  const proposals = runSearches(options.searches ?? searchNames.options, space, options.seed ?? '0');
  const ranker = makeRanker(past, built, profile, by);
  const proposed = chooseProposals(proposals, ranker, minStages);
  const perChain = reviewer.reviewer.by === 'rules' ? REVIEWED_PER_CHAIN.byRules : REVIEWED_PER_CHAIN.byOthers;
  const asked = proposed.chosen.slice(0, limit * perChain);
  const reviewed = await mapLimited(asked, options.reviewsAtATime ?? 1, (proposal) =>
    reviewProposal(proposal, { built, space, reviewer, minStages }),
  );
  const { chosen, rejected } = chooseReviewed(reviewed, ranker, by, limit);
  const lines = [...proposalRejections(proposed, asked.length), ...rejected];
  const rejections: Rejection[] = [...built.rejections, ...lines.map((line) => describeRejection(line, nodes))];
  return {
    chains: chosen.map((chain) => describeChain(chain.reviewed, chain.rank, built, reviewer)),
    rejections,
    graph: built.graph,
    candidates: proposals.length,
  };
}

function proposalRejections({ chosen, repeated, loose }: ChosenProposals, asked: number): Rejected[] {
  const single = (nodes: readonly number[]): number[][] => nodes.map((node) => [node]);
  return [
    ...loose.map(({ stages, reason }) => ({ stages: single(stages), step: 'search' as const, reason })),
    ...repeated.map(({ chain, instead, shared }) => ({
      stages: single(chain.nodes),
      step: 'merge' as const,
      reason: `${shared} of its ${chain.nodes.length} stages stand in a chain that tells the feature better`,
      instead: single(instead.nodes),
    })),
    ...chosen.slice(asked).map(({ nodes }, at) => ({
      stages: single(nodes),
      step: 'limit' as const,
      reason: `number ${asked + at + 1} of the candidates; the best ${asked} were reviewed`,
    })),
  ];
}
