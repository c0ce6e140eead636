import type { SearchName } from '#documents/chains.js';
import { seededRandom } from '#kernel/random.js';
import type { ChainCandidate } from '../chains.js';
import { compareStages } from './compare-stages.js';
import { searchAnchors } from './search-anchors.js';
import { searchBeam } from './search-beam.js';
import { searchBridges } from './search-bridges.js';
import { searchCommunities } from './search-communities.js';
import type { SearchSpace } from './search-space.js';

const SEARCHES: Record<SearchName, (space: SearchSpace) => ChainCandidate[]> = {
  beam: searchBeam,
  anchor: searchAnchors,
  bridge: searchBridges,
  community: searchCommunities,
};

/** What several searches found alike. */
export interface Proposal {
  stages: number[];
  foundBy: SearchName[];
  score: number;
}

/** Runs the searches, each with a stream of chance of its own, and puts equal finds together. Best first. */
export function runSearches(
  searches: readonly SearchName[],
  space: Omit<SearchSpace, 'random'>,
  seed: string,
): Proposal[] {
  const byStages = new Map<string, Proposal>();
  for (const search of [...searches].sort()) {
    const found = SEARCHES[search]({ ...space, random: seededRandom(`${seed}/chains/${search}`) });
    for (const { stages, score } of found) {
      const held = byStages.get(stages.join());
      if (held === undefined) byStages.set(stages.join(), { stages, foundBy: [search], score });
      else if (!held.foundBy.includes(search)) held.foundBy.push(search);
    }
  }
  return [...byStages.values()].sort((a, b) => b.score - a.score || compareStages(a.stages, b.stages));
}
