import type { ChainCandidate } from '../chains.js';
import { compareStages } from './compare-stages.js';
import { MIN_AFFINITY, MIN_WORTH } from './grow-chain.js';
import { meanAffinity } from './mean-affinity.js';
import type { SearchSpace } from './search-space.js';

/** Beams start from so many strongest links per node of the graph. */
const STARTS_PER_NODE = 0.3;
const WIDTH = 2;
/** Of each stage, so many strongest links are looked at; of what they lead to, so many are tried. */
const BRANCHES = 5;
const TRIED = 4;

interface Beam {
  stages: number[];
  score: number;
}

/** Global beam: chains grow onwards from the strongest links of the whole graph, the best few of each length kept. */
export function searchBeam(space: SearchSpace): ChainCandidate[] {
  const starts = space.links.all
    .filter(({ from, to }) => (space.worth[from] ?? 0) >= MIN_WORTH && (space.worth[to] ?? 0) >= MIN_WORTH)
    .sort((a, b) => b.weight - a.weight || a.from - b.from || a.to - b.to)
    .slice(0, Math.ceil(space.nodes.length * STARTS_PER_NODE));
  return starts.map(({ from, to }) => {
    const best = runBeam(space, [from, to]);
    return { stages: best.stages, foundBy: 'beam', score: best.score };
  });
}

function runBeam(space: SearchSpace, start: number[]): Beam {
  let beams: Beam[] = [{ stages: start, score: meanAffinity(space, start) }];
  let best = beams[0] as Beam;
  while (beams.length > 0 && (beams[0]?.stages.length ?? 0) < space.maxStages) {
    const next = new Map<string, Beam>();
    for (const { stages } of beams) {
      for (const node of onwards(space, stages)) {
        const longer = [...stages, node].sort((a, b) => a - b);
        const key = longer.join();
        if (!next.has(key)) next.set(key, { stages: longer, score: meanAffinity(space, longer) });
      }
    }
    beams = [...next.values()].sort((a, b) => b.score - a.score || compareStages(a.stages, b.stages)).slice(0, WIDTH);
    if (beams[0] !== undefined) best = beams[0];
  }
  return best;
}

/** The nodes that are most about what the stages have in common, of those that they are tied to. */
function onwards({ links, worth, profile }: SearchSpace, stages: readonly number[]): number[] {
  const near = new Set<number>();
  for (const stage of stages)
    for (const { from, to } of links.of(stage).slice(0, BRANCHES)) {
      const other = from === stage ? to : from;
      if ((worth[other] ?? 0) >= MIN_WORTH && !stages.includes(other)) near.add(other);
    }
  profile.set(stages);
  return [...near]
    .map((node) => ({ node, affinity: profile.affinity(node) }))
    .filter(({ affinity }) => affinity >= MIN_AFFINITY)
    .sort((a, b) => b.affinity - a.affinity || a.node - b.node)
    .slice(0, TRIED)
    .map(({ node }) => node);
}
