import { type Random, shuffled } from '#kernel/random.js';
import type { Links } from '../graph/connect-groups.js';

/** Above 1: more and smaller communities, of the size of a feature rather than of a module. */
const RESOLUTION = 4;
const ROUNDS = 12;

/**
 * Communities of a graph by moving nodes to where modularity grows most (the first phase of Louvain, which already
 * gives groups of the size of a feature; merging them further would give modules). The order of visits comes from the
 * seed, so the same graph has the same communities.
 * @returns community by node
 */
export function findCommunities(
  size: number,
  links: Links,
  isMember: (node: number) => boolean,
  random: Random,
): number[] {
  const neighbours = Array.from({ length: size }, (_none, node) =>
    isMember(node)
      ? links.of(node).flatMap(({ from, to, weight }) => {
          const other = from === node ? to : from;
          return isMember(other) ? [{ other, weight }] : [];
        })
      : [],
  );
  const degrees = neighbours.map((list) => list.reduce((sum, { weight }) => sum + weight, 0));
  const total = degrees.reduce((sum, degree) => sum + degree, 0);
  const community = degrees.map((_degree, node) => node);
  const volume = [...degrees];
  const order = shuffled(
    community.filter((node) => (degrees[node] ?? 0) > 0),
    random,
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    let moved = 0;
    for (const node of order) {
      const degree = degrees[node] ?? 0;
      const held = community[node] ?? node;
      const into = new Map<number, number>([[held, 0]]);
      for (const { other, weight } of neighbours[node] ?? []) {
        const target = community[other] ?? other;
        into.set(target, (into.get(target) ?? 0) + weight);
      }
      volume[held] = (volume[held] ?? 0) - degree;
      const gain = (target: number): number =>
        (into.get(target) ?? 0) - (RESOLUTION * degree * (volume[target] ?? 0)) / total;
      let best = held;
      for (const target of [...into.keys()].sort((a, b) => a - b)) if (gain(target) > gain(best) + 1e-12) best = target;
      volume[best] = (volume[best] ?? 0) + degree;
      if (best !== held) {
        community[node] = best;
        moved += 1;
      }
    }
    if (moved === 0) break;
  }
  return community;
}
