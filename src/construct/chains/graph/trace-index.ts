import type { EvidenceType } from '#documents/chains.js';
import type { Past, PastGroup } from '../past.js';
import { strengthOf } from './aspects.js';
import { tracesOf } from './traces.js';

/** A trace that at least two groups share, and few enough that sharing it says something. */
export interface Trace {
  /** Position in `TraceIndex.traces`. */
  id: number;
  key: string;
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
}

export interface TraceIndex {
  /** By node. */
  touches: readonly (readonly Touch[])[];
  /** Sorted by key. */
  traces: readonly Trace[];
}

/** At a trace of so many groups sharing it says half as much as at one of two. */
const HALF_RARITY = 16;
/** A trace of a larger share of all groups is a hub: it is dropped, which also keeps the work linear. */
const HUB_SHARE = 0.06;
const MIN_HUB = 40;
const MAX_HUB = 160;
/** A group with more traces than this is about many things, and about each the less. */
const FOCUSED = 80;

/** Finds what groups share, through lists of groups by trace; pairs are never compared. */
export function indexTraces(
  nodes: readonly PastGroup[],
  past: Pick<Past, 'lineages' | 'topology'>,
  allowed: ReadonlySet<EvidenceType>,
): TraceIndex {
  const hubFiles = hubLineages(past);
  const byKey = new Map<string, { groups: number[]; aspects: number[] }>();
  const focus: number[] = [];
  nodes.forEach((group, position) => {
    const traces = tracesOf(group);
    focus.push(Math.min(1, Math.sqrt(FOCUSED / Math.max(1, traces.size))));
    for (const [key, aspects] of traces) {
      if (!allowedTrace(key, allowed) || hubFiles.has(key)) continue;
      const held = byKey.get(key);
      if (held === undefined) byKey.set(key, { groups: [position], aspects: [aspects] });
      else {
        held.groups.push(position);
        held.aspects.push(aspects);
      }
    }
  });
  const limit = Math.min(MAX_HUB, Math.max(MIN_HUB, nodes.length * HUB_SHARE));
  const traces: Trace[] = [];
  const touches = nodes.map((): Touch[] => []);
  // Sums of fractions depend on their order, so the order is that of the keys.
  for (const key of [...byKey.keys()].sort()) {
    const { groups, aspects } = byKey.get(key) ?? { groups: [], aspects: [] };
    if (groups.length < 2 || groups.length > limit) continue;
    const strengths = groups.map((position, at) => strengthOf(aspects[at] ?? 0) * (focus[position] ?? 0));
    const rarity = HALF_RARITY / (HALF_RARITY + groups.length - 2);
    const trace: Trace = { id: traces.length, key, groups, aspects, strengths, rarity };
    traces.push(trace);
    groups.forEach((position, at) => {
      touches[position]?.push({ trace, aspects: aspects[at] ?? 0, strength: strengths[at] ?? 0 });
    });
  }
  return { touches, traces };
}

function hubLineages({ lineages, topology }: Pick<Past, 'lineages' | 'topology'>): Set<string> {
  const hubs = new Set<string>();
  lineages.forEach(({ paths }, index) => {
    const last = paths.at(-1);
    if (last !== undefined && topology.hubs.has(last)) hubs.add(`f:${index}`);
  });
  return hubs;
}

/** Traces of types that are switched off are not even indexed. */
function allowedTrace(key: string, allowed: ReadonlySet<EvidenceType>): boolean {
  if (key.startsWith('d:')) return allowed.has('definitions') || allowed.has('tests');
  if (key.startsWith('f:')) return allowed.has('files');
  if (key.startsWith('r:')) return allowed.has('references');
  return true;
}
