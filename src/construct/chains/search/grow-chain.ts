import type { SearchSpace } from './search-space.js';

/** A group less about the chain than this does not join it. */
export const MIN_AFFINITY = 0.4;
/** A group less likely to be a stage is passed over. */
export const MIN_WORTH = 0.5;
/** Of each member, so many strongest links are looked at. */
const LOOKED_AT = 32;

/**
 * Lets a chain grow from its seed, each time by the group that is most about what the members have in common and most
 * likely a stage, until nothing near enough is left. `inside` says where it may grow.
 */
export function growChain(space: SearchSpace, seed: readonly number[], inside: (node: number) => boolean): number[] {
  const { profile, maxStages } = space;
  profile.set(seed);
  const members = new Set(seed);
  const near = new Set<number>();
  const look = (member: number): void => {
    let seen = 0;
    for (const link of space.links.of(member)) {
      const other = link.from === member ? link.to : link.from;
      if ((space.worth[other] ?? 0) < MIN_WORTH) continue;
      if (inside(other) && !members.has(other)) near.add(other);
      seen += 1;
      if (seen >= LOOKED_AT) break;
    }
  };
  for (const member of seed) look(member);
  while (members.size < maxStages) {
    let best: { node: number; score: number } | null = null;
    for (const node of near) {
      const affinity = profile.affinity(node);
      if (affinity < MIN_AFFINITY) continue;
      const score = affinity * Math.sqrt(space.worth[node] ?? 0);
      if (best === null || score > best.score || (score === best.score && node < best.node)) best = { node, score };
    }
    if (best === null) break;
    members.add(best.node);
    near.delete(best.node);
    profile.add(best.node);
    look(best.node);
  }
  return [...members].sort((a, b) => a - b);
}
