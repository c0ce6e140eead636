import type { ChainCandidate } from '../chains.js';
import { findCommunities } from './communities.js';
import { growChain, MIN_WORTH } from './grow-chain.js';
import { meanAffinity } from './mean-affinity.js';
import type { SearchSpace } from './search-space.js';

/** Chains that start in one community: so many at most. */
const STARTS = 6;

/** Community-guided: inside each community of the graph, from its most central groups, in both directions of time. */
export function searchCommunities(space: SearchSpace): ChainCandidate[] {
  const { nodes, links, worth, random } = space;
  const community = findCommunities(nodes.length, links, (node) => (worth[node] ?? 0) >= MIN_WORTH, random);
  const members = new Map<number, number[]>();
  community.forEach((name, node) => {
    if ((worth[node] ?? 0) >= MIN_WORTH) members.set(name, [...(members.get(name) ?? []), node]);
  });
  const found: ChainCandidate[] = [];
  for (const group of members.values()) {
    if (group.length < 2) continue;
    const inside = new Set(group);
    const free = new Set(group);
    for (let start = 0; start < STARTS && free.size > 1; start += 1) {
      const seed = mostCentral(space, free, inside);
      free.delete(seed);
      const stages = growChain(space, [seed], (node) => inside.has(node));
      for (const stage of stages) free.delete(stage);
      if (stages.length >= 2) found.push({ stages, foundBy: 'community', score: meanAffinity(space, stages) });
    }
  }
  return found;
}

function mostCentral({ links, worth }: SearchSpace, free: ReadonlySet<number>, inside: ReadonlySet<number>): number {
  let best = { node: -1, score: -1 };
  for (const node of free) {
    let sum = 0;
    for (const { from, to, weight } of links.of(node)) if (inside.has(from === node ? to : from)) sum += weight;
    const score = sum * (worth[node] ?? 0);
    if (score > best.score || (score === best.score && node < best.node)) best = { node, score };
  }
  return best.node;
}
