import type { ChainCandidate } from '../chains.js';
import { MIN_AFFINITY } from './grow-chain.js';
import { meanAffinity } from './mean-affinity.js';
import type { SearchSpace } from './search-space.js';

/** Beams start from so many strongest links per node of the graph. */
const STARTS_PER_NODE = 0.5;
const WIDTH = 3;
/** Of a chain's last stage, so many strongest links onwards are tried. */
const BRANCHES = 6;

interface Beam {
  stages: number[];
  score: number;
}

/** Global beam: chains grow onwards from the strongest links of the whole graph, the best few of each length kept. */
export function searchBeam(space: SearchSpace): ChainCandidate[] {
  const starts = space.links.all
    .filter(({ from, to }) => (space.worth[from] ?? 0) > 0 && (space.worth[to] ?? 0) > 0)
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
        if (next.has(key)) continue;
        space.profile.set(longer);
        const affinities = longer.map((stage) => space.profile.affinity(stage));
        if (Math.min(...affinities) < MIN_AFFINITY) continue;
        next.set(key, { stages: longer, score: affinities.reduce((sum, each) => sum + each, 0) / longer.length });
      }
    }
    beams = [...next.values()].sort((a, b) => b.score - a.score || compare(a.stages, b.stages)).slice(0, WIDTH);
    if (beams[0] !== undefined) best = beams[0];
  }
  return best;
}

function onwards({ links, worth }: SearchSpace, stages: readonly number[]): number[] {
  const found = new Set<number>();
  for (const stage of stages) {
    let taken = 0;
    for (const link of links.of(stage)) {
      const other = link.from === stage ? link.to : link.from;
      if ((worth[other] ?? 0) < 0.3 || stages.includes(other)) continue;
      found.add(other);
      taken += 1;
      if (taken >= BRANCHES) break;
    }
  }
  return [...found];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
