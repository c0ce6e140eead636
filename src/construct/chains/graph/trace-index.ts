import type { EvidenceType } from '#documents/chains.js';
import type { Past, PastGroup } from '../past.js';
import { ASPECT } from './aspect.js';
import { type KindStrength, strengthOf, strengthsByKind } from './aspects.js';
import { lineTraces } from './line-traces.js';
import { tracesOf } from './traces.js';

/** A trace that at least two groups share, and few enough that sharing it says something. */
export interface Trace {
  /** Position in `TraceIndex.traces`. */
  id: number;
  key: string;
  /** The repository defines it or speaks of it; others are names from elsewhere. */
  isOwn: boolean;
  /** Nodes that left it, ascending. */
  groups: number[];
  /** How each of them did, and how much of it is about this; parallel to `groups`. */
  aspects: number[];
  strengths: number[];
  /** 1 for a trace of two groups, falling towards 0 the more share it. */
  rarity: number;
}

export interface Touch {
  trace: Trace;
  aspects: number;
  /** 0 to 1: how much of the group is about this. */
  strength: number;
  /** The same of each kind of evidence by itself. */
  byKind: readonly KindStrength[];
}

export interface TraceIndex {
  /** By node. */
  touches: readonly (readonly Touch[])[];
  /** Sorted by key. */
  traces: readonly Trace[];
}

/**
 * At a trace that this many groups are about, sharing it says half as much as at one of two: about as many changes as a
 * feature has.
 */
const HALF_RARITY = 4.25;
/** A name that the repository neither defines nor speaks of in titles comes from elsewhere, and so do many who use it. */
const FOREIGN = 0.38;
/** A trace of a larger share of all groups is a hub: it is dropped, which also keeps the work linear. */
const HUB_SHARE = 0.05;
const MIN_HUB = 20;
const MAX_HUB = 60;
/** Longer lists are dropped unread. */
const MAX_LIST = 400;
/** A group with more traces than this is about many things, and about each the less. */
const FOCUSED = 80;

/** Finds what groups share, through lists of groups by trace; pairs are never compared. */
export function indexTraces(
  nodes: readonly PastGroup[],
  past: Pick<Past, 'lineages' | 'topology'>,
  allowed: ReadonlySet<EvidenceType>,
  worth: readonly number[],
): TraceIndex {
  const hubFiles = hubLineages(past);
  const byKey = new Map<string, Pick<Trace, 'groups' | 'aspects' | 'strengths'>>();
  const note = (key: string, node: number, aspects: number, strength: number): void => {
    let held = byKey.get(key);
    if (held === undefined) {
      held = { groups: [], aspects: [], strengths: [] };
      byKey.set(key, held);
    }
    held.groups.push(node);
    held.aspects.push(aspects);
    held.strengths.push(strength);
  };
  nodes.forEach((group, position) => {
    const traces = tracesOf(group);
    const focus = Math.min(1, Math.sqrt(FOCUSED / Math.max(1, traces.size)));
    for (const [key, touched] of traces) {
      const aspects = allowedAspects(key, touched, allowed);
      if (aspects !== 0 && !hubFiles.has(key)) note(key, position, aspects, strengthOf(aspects) * focus);
    }
  });
  if (allowed.has('lines'))
    for (const [key, touched] of lineTraces(nodes))
      for (const { node, aspects, strength } of touched) note(key, node, aspects, strength);
  const limit = Math.min(MAX_HUB, Math.max(MIN_HUB, nodes.length * HUB_SHARE));
  const traces: Trace[] = [];
  const touches = nodes.map((): Touch[] => []);
  // Sums of fractions depend on their order, so the order is that of the keys.
  for (const key of [...byKey.keys()].sort()) {
    const { groups, aspects, strengths } = byKey.get(key) ?? { groups: [], aspects: [], strengths: [] };
    if (groups.length < 2 || groups.length > MAX_LIST) continue;
    // Who only mentions a name in passing makes it hardly commoner, nor do fixes of the feature that it names.
    const about = strengths.reduce((sum, strength, at) => sum + strength ** 2 * (worth[groups[at] ?? 0] ?? 0), 0);
    if (about > limit) continue;
    const own = isOwn(key, aspects);
    const rarity = (HALF_RARITY / (HALF_RARITY + Math.max(0, about - 2))) * (own ? 1 : FOREIGN);
    const trace: Trace = { id: traces.length, key, isOwn: own, groups, aspects, strengths, rarity };
    traces.push(trace);
    groups.forEach((position, at) => {
      const [held, strength] = [aspects[at] ?? 0, strengths[at] ?? 0];
      touches[position]?.push({ trace, aspects: held, strength, byKind: strengthsByKind(key, held, strength) });
    });
  }
  return { touches, traces };
}

function isOwn(key: string, aspects: readonly number[]): boolean {
  if (!key.startsWith('n:')) return true;
  const isDefined = ASPECT.added | ASPECT.changed;
  const isCode = isDefined | ASPECT.written;
  return aspects.some((held) => (held & isDefined) !== 0 || ((held & ASPECT.titled) !== 0 && (held & isCode) !== 0));
}

function hubLineages({ lineages, topology }: Pick<Past, 'lineages' | 'topology'>): Set<string> {
  const hubs = new Set<string>();
  lineages.forEach(({ paths }, index) => {
    const last = paths.at(-1);
    if (last !== undefined && topology.hubs.has(last)) hubs.add(`f:${index}`);
  });
  return hubs;
}

const ASPECTS_OF: Record<EvidenceType, number> = {
  definitions: ASPECT.added | ASPECT.changed | ASPECT.called | ASPECT.written,
  tests: ASPECT.tested,
  wording: ASPECT.titled | ASPECT.said,
  files: ASPECT.filed,
  lines: 0,
  imports: ASPECT.imported,
  references: ASPECT.cited,
};

/** The aspects that are left where some types of evidence are switched off. */
function allowedAspects(key: string, aspects: number, allowed: ReadonlySet<EvidenceType>): number {
  if (key.startsWith('f:')) return allowed.has('files') ? aspects : 0;
  let mask = 0;
  for (const type of allowed) mask |= ASPECTS_OF[type];
  return aspects & mask;
}
