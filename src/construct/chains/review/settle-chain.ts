import type { SearchSpace } from '../search/search-space.js';

/** Members less about the others than this are not of the core. */
const CORE_AFFINITY = 0.3;
/** Groups that a member is tied to, strongest first, that may be missing extensions. */
const LOOKED_AT = 24;
const MAX_NEIGHBOURS = 12;
/** Groups without tests are heard of where they would be stages if they had some. */
const MIN_UNTESTED_WORTH = 0.5;
const MAX_UNTESTED = 6;

export interface SettledChain {
  /** The stages that hold together; fewer than two where nothing does. */
  core: number[];
  /** Of every stage and neighbour: how much it is about what the core has in common. */
  affinity: Map<number, number>;
  /** Groups outside that are near the core, nearest first; those without tests last. */
  neighbours: number[];
}

type Space = Pick<SearchSpace, 'profile' | 'links' | 'worth' | 'worthUntested'>;

/** Takes the loosest stage out, again and again, until each is about what the rest has in common. */
export function settleChain({ profile, links, worth, worthUntested }: Space, stages: readonly number[]): SettledChain {
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
      if (!affinity.has(other)) near.add(other);
    }
  const byAffinity = [...near]
    .map((node) => ({ node, about: profile.affinity(node) }))
    .sort((a, b) => b.about - a.about || a.node - b.node);
  const isUntested = ({ node }: { node: number }): boolean =>
    (worth[node] ?? 0) === 0 && (worthUntested[node] ?? 0) >= MIN_UNTESTED_WORTH;
  const neighbours = [
    ...byAffinity.filter(({ node }) => (worth[node] ?? 0) > 0).slice(0, MAX_NEIGHBOURS),
    ...byAffinity.filter(isUntested).slice(0, MAX_UNTESTED),
  ];
  for (const { node, about } of neighbours) affinity.set(node, about);
  return { core, affinity, neighbours: neighbours.map(({ node }) => node) };
}
