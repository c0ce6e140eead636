import type { ChainTraits } from './chain-traits.js';

/** Stages less about the chain than this count against it: so chains neither drift nor lose what belongs to them. */
const DUE_AFFINITY = 0.365;

/** What the stages have in common beyond what is due, each by how likely it is a stage. */
function margin({ affinities, worths }: ChainTraits): number {
  return affinities.reduce((sum, affinity, at) => sum + (affinity - DUE_AFFINITY) * (worths[at] ?? 0) ** 2, 0);
}

/**
 * How well a set of stages tells a feature: of several sets that overlap, the best telling stays. It favours those that
 * start with what introduces the feature and that people gave one name in titles.
 */
export function tellingScore(traits: ChainTraits): number {
  const { agreement, titled, introduced } = traits;
  return Math.max(0, margin(traits)) * saturating(agreement, 0.8) * Math.sqrt(0.26 + titled) * (0.23 + introduced);
}

/**
 * How surely the stages are one feature that a user would know, 0 to 1: what they have in common, how many traces agree
 * on it, and how far titles, tests and definitions are about it.
 */
export function relationScore(traits: ChainTraits): number {
  const { agreement, named, tested, worked, introduced } = traits;
  const visible = (0.3 + named) * Math.sqrt((0.5 + tested) * (0.35 + worked) * (0.44 + introduced));
  return saturating(Math.max(0, margin(traits)) * saturating(agreement, 0.6) * visible, 2);
}

/** Near 0 for little, near 1 from about three times `scale` on. */
function saturating(value: number, scale: number): number {
  return 1 - Math.exp(-value / scale);
}
