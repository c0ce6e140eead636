import { joinLines, splitLines } from './diff-lines.js';
import { type MergePart, type MergeSides, mergeLines, settledLines } from './merge-lines.js';
import type { Overlap, Resolution, Resolver } from './resolver.js';
import { isText, showHunk } from './text.js';

/** Plain three-way removal, as git reverts: changes of both sides that overlap or touch conflict. */
export const threeWay: Resolver = {
  layer: 'three-way',
  resolve: async (overlap) => resolveWhole(overlap) ?? resolveText(overlap, 'conflict', 'the patch was taken out'),
};

/** Changes that touch without overlapping stand side by side: the patch goes, its neighbour stays. */
export const neighbours: Resolver = {
  layer: 'neighbours',
  resolve: async (overlap) =>
    resolveWhole(overlap) ?? resolveText(overlap, 'apart', 'the patch was taken out beside a neighbouring edit'),
};

/** Decides what needs no look into the text; null where the text decides. */
function resolveWhole({ base, ours, theirs }: Overlap): Resolution | null {
  if (ours === null || base === null || theirs === null) {
    if (equal(ours, base))
      return theirs === null
        ? gone('the patch had created the file')
        : settled(theirs, 'the patch had deleted the file');
    if (equal(ours, theirs)) return ours === null ? gone('gone already') : settled(ours, 'as before the patch already');
    return {
      kind: 'undecided',
      why:
        base === null
          ? 'the patch deleted the file, and later work made it anew'
          : 'the patch created the file, and later work changed it',
      hunk: null,
    };
  }
  if (ours.equals(base)) return settled(theirs, 'untouched since the patch: back to the text before it');
  if (ours.equals(theirs)) return settled(ours, 'as before the patch already');
  if (isText(base) && isText(ours) && isText(theirs)) return null;
  return { kind: 'undecided', why: 'a binary or huge file that later work changed', hunk: null };
}

function resolveText({ base, ours, theirs }: Overlap, touching: 'conflict' | 'apart', why: string): Resolution {
  const parts = mergeLines(sidesOf(base, ours, theirs), touching);
  const lines = settledLines(parts);
  if (lines !== null) return settled(joinLines(lines), why);
  return { kind: 'undecided', why: `${conflictsOf(parts)} part(s) overlap with later work`, hunk: showConflict(parts) };
}

export function sidesOf(base: Buffer | null, ours: Buffer | null, theirs: Buffer | null): MergeSides {
  const lines = (content: Buffer | null): string[] => (content === null ? [] : splitLines(content));
  return { base: lines(base), ours: lines(ours), theirs: lines(theirs) };
}

/** The first conflict as a person reads it: what the patch wrote, what stands there now, what stood there before. */
export function showConflict(parts: readonly MergePart[]): string | null {
  const part = parts.find((one) => one.kind === 'conflict');
  if (part === undefined || part.kind !== 'conflict') return null;
  return [
    `line ${part.oursAt + 1}:`,
    ...showHunk(part.base, '  patch   | '),
    ...showHunk(part.ours, '  now     | '),
    ...showHunk(part.theirs, '  before  | '),
  ].join('\n');
}

function conflictsOf(parts: readonly MergePart[]): number {
  return parts.filter((part) => part.kind === 'conflict').length;
}

function settled(bytes: Buffer, why: string): Resolution {
  return { kind: 'bytes', bytes, why, explained: [] };
}

function gone(why: string): Resolution {
  return { kind: 'delete', why, explained: [] };
}

function equal(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
