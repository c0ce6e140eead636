import type { ChainCandidate } from '../chains.js';
import type { PastGroup } from '../past.js';
import { growChain } from './grow-chain.js';
import { meanAffinity } from './mean-affinity.js';
import type { SearchSpace } from './search-space.js';

/** Anchor-guided: from each group that introduces something a user can name, onwards through what extends it. */
export function searchAnchors(space: SearchSpace): ChainCandidate[] {
  const found: ChainCandidate[] = [];
  space.nodes.forEach((group, node) => {
    if ((space.worth[node] ?? 0) === 0 || !introduces(group)) return;
    const stages = growChain(space, [node], (other) => other > node);
    if (stages.length >= 2) found.push({ stages, foundBy: 'anchor', score: meanAffinity(space, stages) });
  });
  return found;
}

/** New exported names, or new names of options and keys, in a change that is meant to add something. */
function introduces({ intent, definitions, identifiers }: PastGroup): boolean {
  if (intent !== 'feature' && intent !== 'extension' && intent !== 'fix') return false;
  const makesNames = definitions.some(({ change, exported, inTest }) => change === 'added' && exported && !inTest);
  return makesNames || intent === 'feature' || [...identifiers.keys()].some((name) => name.includes('-'));
}
