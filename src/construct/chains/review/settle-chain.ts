import type { SearchSpace } from '../search/search-space.js';

/** Members less about the others than this are not of the core. */
const CORE_AFFINITY = 0.3;
/** Groups that a member is tied to, strongest first, that may be missing extensions. */
const LOOKED_AT = 24;
const MAX_NEIGHBOURS = 12;

export interface SettledChain {
  /** The stages that hold together; fewer than two where nothing does. */
  core: number[];
  /** Of every stage and neighbour: how much it is about what the core has in common. */
  affinity: Map<number, number>;
  /** Groups outside that are near the core, nearest first. */
  neighbours: number[];
}

type Space = Pick<SearchSpace, 'profile' | 'links' | 'worth'>;

/** Takes the loosest stage out, again and again, until each is about what the rest has in common. */
export function settleChain({ profile, links, worth }: Space, stages: readonly number[]): SettledChain {
  let core = [...stages];
  for (;;) {
    profile.set(core);
    const loosest = core
      .map((stage) => ({ stage, affinity: profile.affinity(stage) }))
      .sort((a, b) => a.affinity - b.affinity || b.stage - a.stage)[0];
    if (loosest === undefined || loosest.affinity >= CORE_AFFINITY) break;
    core = core.filter((stage) => stage !== loosest.stage);
    if (core.length < 2) return { core: [], affinity: new Map(), neighbours: [] };
  }
  const affinity = new Map(stages.map((stage) => [stage, profile.affinity(stage)]));
  const near = new Set<number>();
  for (const stage of core)
    for (const { from, to } of links.of(stage).slice(0, LOOKED_AT)) {
      const other = from === stage ? to : from;
      if ((worth[other] ?? 0) > 0 && !affinity.has(other)) near.add(other);
    }
  const neighbours = [...near]
    .map((node) => ({ node, about: profile.affinity(node) }))
    .sort((a, b) => b.about - a.about || a.node - b.node)
    .slice(0, MAX_NEIGHBOURS);
  for (const { node, about } of neighbours) affinity.set(node, about);
  return { core, affinity, neighbours: neighbours.map(({ node }) => node) };
}
