import type { EvidenceType } from '#documents/chains.js';
import { ASPECT } from './aspect.js';

/** How much one aspect alone says that the group is about the trace. */
const STRENGTH: readonly [aspect: number, strength: number][] = [
  [ASPECT.added, 0.86],
  [ASPECT.changed, 0.6],
  [ASPECT.called, 0.37],
  [ASPECT.written, 0.28],
  [ASPECT.tested, 0.44],
  [ASPECT.titled, 0.63],
  [ASPECT.said, 0.2],
  [ASPECT.filed, 0.24],
  [ASPECT.imported, 0.25],
  [ASPECT.cited, 0.9],
];

const table: number[] = Array.from({ length: 1024 }, (_none, aspects) =>
  STRENGTH.reduce((sum, [aspect, strength]) => ((aspects & aspect) === 0 ? sum : 1 - (1 - sum) * (1 - strength)), 0),
);

/** How much a group is about a trace that it touches in these ways: 0 to 1. */
export function strengthOf(aspects: number): number {
  return table[aspects] ?? 0;
}

/** Aspects of names and definitions by the kind of evidence they are for a group's belonging to a feature. */
const KINDS: readonly number[] = [
  ASPECT.added | ASPECT.changed | ASPECT.called | ASPECT.written | ASPECT.imported,
  ASPECT.tested,
  ASPECT.titled | ASPECT.said,
  ASPECT.filed,
  ASPECT.cited,
];
/** Files and lines are kinds of their own: their aspects say only how they changed. */
const FILES = KINDS.length;
const LINES = KINDS.length + 1;
export const KIND_COUNT = KINDS.length + 2;

/** One kind of evidence and how much it alone says. */
export interface KindStrength {
  kind: number;
  strength: number;
}

const byAspects = Array.from({ length: 1024 }, (_none, aspects) =>
  KINDS.flatMap((mask, kind) => ((aspects & mask) === 0 ? [] : [{ kind, strength: strengthOf(aspects & mask) }])),
);

/** Of a touch: the kinds of its aspects, each with its part of the touch's strength. */
export function strengthsByKind(key: string, aspects: number, strength: number): readonly KindStrength[] {
  if (key.startsWith('f:')) return [{ kind: FILES, strength }];
  if (key.startsWith('l:')) return [{ kind: LINES, strength }];
  const focus = strength / strengthOf(aspects);
  return (byAspects[aspects] ?? []).map((found) => ({ kind: found.kind, strength: found.strength * focus }));
}

const SOURCE = ASPECT.added | ASPECT.changed;
const USED = SOURCE | ASPECT.called | ASPECT.written;

/** What kind of evidence it is that an older and a newer group share a trace. */
export function evidenceOf(key: string, older: number, newer: number): EvidenceType {
  switch (key[0]) {
    case 'd':
      if ((older & SOURCE) !== 0 && (newer & SOURCE) !== 0) return 'definitions';
      return 'tests';
    case 'f':
      return 'files';
    case 'l':
      return 'lines';
    case 'r':
      return 'references';
    default:
      return evidenceOfName(older, newer);
  }
}

function evidenceOfName(older: number, newer: number): EvidenceType {
  if ((older & SOURCE) !== 0 && (newer & USED) !== 0) return 'definitions';
  if ((older & USED) !== 0 && (newer & ASPECT.tested) !== 0) return 'tests';
  if ((older & SOURCE) !== 0 && (newer & ASPECT.imported) !== 0) return 'imports';
  return 'wording';
}
