import type { ChainCandidate } from '../chains.js';
import type { Trace } from '../graph/trace-index.js';
import type { SearchSpace } from './search-space.js';

/** How much of a group must be about a topic, and how likely a stage it must be: broad and narrow tellings of it. */
const ABOUT = [0.3, 0.4, 0.5, 0.6];
const WORTH = [0.5, 0.6, 0.8];
/** A topic of more stages than this is broader than a feature. */
const BROAD = 24;

/**
 * Anchor-guided: from what some change introduces that can be named (a definition, an option, a file) through the
 * changes that are about it.
 */
export function searchAnchors(space: SearchSpace): ChainCandidate[] {
  const found = new Map<string, ChainCandidate>();
  for (const trace of space.index.traces) {
    if (!trace.isOwn) continue;
    for (const about of ABOUT)
      for (const likely of WORTH) {
        const stages = stagesOf(trace, about, likely, space);
        const key = stages.join();
        if (stages.length >= 2 && !found.has(key)) found.set(key, { stages, foundBy: 'anchor', score: trace.rarity });
      }
  }
  return [...found.values()];
}

function stagesOf({ groups, strengths }: Trace, about: number, likely: number, space: SearchSpace): number[] {
  const members = groups
    .map((node, at) => ({ node, strength: strengths[at] ?? 0, worth: space.worth[node] ?? 0 }))
    .filter(({ strength, worth }) => strength >= about && worth >= likely);
  if (members.length > BROAD) return [];
  return members
    .sort((a, b) => b.strength * b.worth - a.strength * a.worth || a.node - b.node)
    .slice(0, space.maxStages)
    .map(({ node }) => node)
    .sort((a, b) => a - b);
}
