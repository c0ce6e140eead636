import type { ChainRanker } from '../rank/chain-ranker.js';
import { oneTellingEach, orderByNews, type Repeated } from '../rank/choose-diverse.js';
import { tellingScore } from '../rank/relation-score.js';
import { compareStages } from './compare-stages.js';
import type { Proposal } from './run-searches.js';

export interface TellingProposal extends Proposal {
  nodes: number[];
}

export interface ChosenProposals {
  /** One telling of each feature, best first. */
  chosen: TellingProposal[];
  repeated: Repeated<TellingProposal>[];
  /** Those whose stages have too little in common, or are too few. */
  loose: { stages: number[]; reason: string }[];
}

/** Of all proposals the one that tells each feature best, in the order in which they deserve a review. */
export function chooseProposals(
  proposals: readonly Proposal[],
  ranker: ChainRanker,
  minStages: number,
): ChosenProposals {
  const loose: ChosenProposals['loose'] = [];
  const measured: (TellingProposal & { telling: number; order: number })[] = [];
  for (const proposal of proposals) {
    const { stages } = proposal;
    if (stages.length < minStages) {
      loose.push({ stages, reason: `${stages.length} stages, ${minStages} were asked for` });
      continue;
    }
    const traits = ranker.measure(proposal.stages);
    const telling = tellingScore(traits);
    if (telling <= 0) loose.push({ stages, reason: 'its stages have too little in common' });
    else measured.push({ ...proposal, nodes: proposal.stages, telling, order: ranker.order(proposal.stages, traits) });
  }
  measured.sort((a, b) => b.telling - a.telling || compareStages(a.stages, b.stages));
  const { told, repeated } = oneTellingEach(measured);
  return { chosen: orderByNews(told, ({ order }) => order).map(({ chain }) => chain), repeated, loose };
}
