import type { Proposal } from '../search/run-searches.js';
import { compareStages } from '../search/run-searches.js';
import type { SearchSpace } from '../search/search-space.js';
import { settleChain } from './settle-chain.js';

/** Proposals reduced to the stages that hold together; those that come to the same are one, found by all of them. */
export function settleProposals(
  proposals: readonly Proposal[],
  space: Omit<SearchSpace, 'random'>,
  minStages: number,
): { settled: Proposal[]; loose: Proposal[] } {
  const byCore = new Map<string, Proposal>();
  const loose: Proposal[] = [];
  for (const proposal of proposals) {
    const { core } = settleChain(space, proposal.stages);
    if (core.length < minStages) {
      loose.push(proposal);
      continue;
    }
    const held = byCore.get(core.join());
    if (held === undefined) byCore.set(core.join(), { ...proposal, stages: core, foundBy: [...proposal.foundBy] });
    else for (const search of proposal.foundBy) if (!held.foundBy.includes(search)) held.foundBy.push(search);
  }
  return { settled: [...byCore.values()].sort((a, b) => compareStages(a.stages, b.stages)), loose };
}
