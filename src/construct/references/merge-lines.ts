import { diffLines, type Hunk } from './diff-lines.js';

/** A part of a three-way merge: lines that are settled, or what the three sides say where they are not. */
export type MergePart =
  | { kind: 'settled'; lines: readonly string[] }
  | { kind: 'conflict'; base: readonly string[]; ours: readonly string[]; theirs: readonly string[]; oursAt: number };

export interface MergeSides {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
}

/**
 * Three-way merge of lists of lines (or tokens). With `touching: 'conflict'` changes of the two sides that touch without
 * a line between them conflict, as in git; with `'apart'` they stand side by side where their order is certain: only
 * two insertions at one point conflict.
 */
export function mergeLines(sides: MergeSides, touching: 'conflict' | 'apart'): MergePart[] {
  const groups = groupHunks(diffLines(sides.base, sides.ours), diffLines(sides.base, sides.theirs), touching);
  const parts: MergePart[] = [];
  let at = 0;
  let oursShift = 0;
  let theirsShift = 0;
  for (const { start, end, ours, theirs } of groups) {
    if (start > at) parts.push({ kind: 'settled', lines: sides.base.slice(at, start) });
    const oursStart = start + oursShift;
    for (const hunk of ours) oursShift += hunk.bEnd - hunk.bStart - (hunk.aEnd - hunk.aStart);
    const theirsStart = start + theirsShift;
    for (const hunk of theirs) theirsShift += hunk.bEnd - hunk.bStart - (hunk.aEnd - hunk.aStart);
    const oursLines = sides.ours.slice(oursStart, end + oursShift);
    const theirsLines = sides.theirs.slice(theirsStart, end + theirsShift);
    if (theirs.length === 0 || sameLines(oursLines, theirsLines)) parts.push({ kind: 'settled', lines: oursLines });
    else if (ours.length === 0) parts.push({ kind: 'settled', lines: theirsLines });
    else
      parts.push({
        ...{ kind: 'conflict' as const, base: sides.base.slice(start, end), ours: oursLines, theirs: theirsLines },
        oursAt: oursStart,
      });
    at = end;
  }
  if (at < sides.base.length) parts.push({ kind: 'settled', lines: sides.base.slice(at) });
  return parts;
}

/** The merged lines, or null where a conflict is left. */
export function settledLines(parts: readonly MergePart[]): string[] | null {
  const lines: string[] = [];
  for (const part of parts) {
    if (part.kind === 'conflict') return null;
    for (const line of part.lines) lines.push(line);
  }
  return lines;
}

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

interface Group {
  start: number;
  end: number;
  ours: Hunk[];
  theirs: Hunk[];
}

function groupHunks(ours: readonly Hunk[], theirs: readonly Hunk[], touching: 'conflict' | 'apart'): Group[] {
  const all = [
    ...ours.map((hunk) => ({ hunk, side: 'ours' as const })),
    ...theirs.map((hunk) => ({ hunk, side: 'theirs' as const })),
  ].sort((x, y) => x.hunk.aStart - y.hunk.aStart || x.hunk.aEnd - y.hunk.aEnd);
  const groups: Group[] = [];
  for (const { hunk, side } of all) {
    const last = groups.at(-1);
    if (last !== undefined && meets(last, hunk, touching)) {
      last.end = Math.max(last.end, hunk.aEnd);
      last[side].push(hunk);
    } else groups.push({ start: hunk.aStart, end: hunk.aEnd, ours: [], theirs: [], [side]: [hunk] });
  }
  return groups;
}

function meets(group: Group, hunk: Hunk, touching: 'conflict' | 'apart'): boolean {
  if (hunk.aStart < group.end) return true;
  if (hunk.aStart > group.end) return false;
  // They touch. Two insertions at one point have no certain order.
  return touching === 'conflict' || (hunk.aStart === hunk.aEnd && group.start === group.end);
}
