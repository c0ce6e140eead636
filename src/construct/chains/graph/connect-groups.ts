import type { EvidenceType } from '#documents/chains.js';
import { evidenceOf } from './aspects.js';
import type { TraceIndex } from './trace-index.js';

/** How much one shared trace of a type can say at most. */
const SHARE: Record<EvidenceType, number> = {
  definitions: 0.7,
  lines: 0.4,
  files: 0.45,
  references: 0.8,
  imports: 0.3,
  tests: 0.5,
  wording: 0.4,
};
/** How much a type can say at most, however many traces of it are shared. */
const CEILING: Record<EvidenceType, number> = {
  definitions: 0.95,
  lines: 0.5,
  files: 0.5,
  references: 0.8,
  imports: 0.4,
  tests: 0.8,
  wording: 0.7,
};
/** Pairs that all types together tie more weakly than this are no edge. */
const MIN_LINK = 0.25;
/** Links of a group, strongest first; what comes after these ties nothing that they do not tie better. */
const MAX_LINKS = 48;

/** Two groups with all evidence between them. */
export interface Link {
  from: number;
  to: number;
  /** 0 to 1: all types together. */
  weight: number;
  byType: Partial<Record<EvidenceType, number>>;
}

export interface Links {
  /** Strongest first. */
  of(group: number): readonly Link[];
  between(a: number, b: number): Link | null;
  all: readonly Link[];
}

const TYPES = Object.keys(SHARE) as EvidenceType[];

/** Ties every group to the older ones it shares traces with. Work grows with the lists of traces, not with all pairs. */
export function connectGroups(index: TraceIndex, allowed: ReadonlySet<EvidenceType>): Links {
  const size = index.touches.length;
  const byGroup = index.touches.map((): Link[] => []);
  const all: Link[] = [];
  // For every older group and type, how likely it is that none of the shared traces means anything.
  const misses = new Float64Array(size * TYPES.length).fill(1);
  index.touches.forEach((touches, newer) => {
    const met: number[] = [];
    for (const { trace, aspects, strength } of touches) {
      for (let at = 0; at < trace.groups.length; at += 1) {
        const older = trace.groups[at] ?? size;
        if (older >= newer) break;
        const type = evidenceOf(trace.key, trace.aspects[at] ?? 0, aspects);
        if (!allowed.has(type)) continue;
        const slot = older * TYPES.length + TYPES.indexOf(type);
        const share = SHARE[type] * trace.rarity * strength * (trace.strengths[at] ?? 0);
        misses[slot] = (misses[slot] ?? 1) * (1 - share);
        met.push(older);
      }
    }
    const links = [...new Set(met)].map((older) => linkOf(older, newer, misses));
    for (const older of met) misses.fill(1, older * TYPES.length, (older + 1) * TYPES.length);
    const strongest = links
      .filter(({ weight }) => weight >= MIN_LINK)
      .sort(byWeight)
      .slice(0, MAX_LINKS);
    for (const link of strongest) {
      all.push(link);
      byGroup[link.from]?.push(link);
      byGroup[link.to]?.push(link);
    }
  });
  for (const links of byGroup) links.sort(byWeight);
  const pairs = new Map(all.map((link) => [link.from * size + link.to, link]));
  return {
    all,
    of: (group) => byGroup[group] ?? [],
    between: (a, b) => pairs.get(Math.min(a, b) * size + Math.max(a, b)) ?? null,
  };
}

function byWeight(a: Link, b: Link): number {
  return b.weight - a.weight || a.from - b.from || a.to - b.to;
}

function linkOf(from: number, to: number, misses: Float64Array): Link {
  const byType: Link['byType'] = {};
  let miss = 1;
  TYPES.forEach((type, at) => {
    const found = 1 - (misses[from * TYPES.length + at] ?? 1);
    if (found <= 0) return;
    const weight = Math.min(CEILING[type], found);
    byType[type] = weight;
    miss *= 1 - weight;
  });
  return { from, to, weight: 1 - miss, byType };
}
