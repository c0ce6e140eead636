import { joinLines } from './diff-lines.js';
import { type MergePart, mergeLines, settledLines } from './merge-lines.js';
import { sidesOf } from './resolve-three-way.js';
import type { Overlap, Resolution, Resolver } from './resolver.js';
import { similarity, tokensOf } from './similar-lines.js';
import { isText } from './text.js';

/** Lines of a conflict beyond which words are not compared: a rewritten block is not an edit of words. */
const MAX_LINES = 40;
/** Likeness of what the patch wrote and what stands there now, below which the text is a new one. */
const ALIKE = 0.5;

/** Where both sides changed the same lines, their words may still differ in different places: merges those. */
export const words: Resolver = {
  layer: 'words',
  resolve: async ({ base, ours, theirs }: Overlap): Promise<Resolution> => {
    if (base === null || ours === null || theirs === null || ![base, ours, theirs].every(isText))
      return { kind: 'undecided', why: 'not a text on all sides', hunk: null };
    const lines: string[] = [];
    const explained: string[] = [];
    for (const part of mergeLines(sidesOf(base, ours, theirs), 'apart')) {
      if (part.kind === 'settled') {
        lines.push(...part.lines);
        continue;
      }
      const merged = mergeWords(part);
      if (merged === null) return { kind: 'undecided', why: 'both sides changed the same words', hunk: null };
      lines.push(merged);
      explained.push(...part.ours);
    }
    return {
      kind: 'bytes',
      bytes: joinLines(lines),
      why: 'the patch’s words were taken out of lines that later work changed',
      explained,
    };
  },
};

function mergeWords(part: Extract<MergePart, { kind: 'conflict' }>): string | null {
  const text = (lines: readonly string[]): string => lines.join('');
  if (Math.max(part.base.length, part.ours.length, part.theirs.length) > MAX_LINES) return null;
  if (similarity(text(part.base), text(part.ours)) < ALIKE) return null;
  const sides = {
    base: tokensOf(text(part.base)),
    ours: tokensOf(text(part.ours)),
    theirs: tokensOf(text(part.theirs)),
  };
  const merged = settledLines(mergeLines(sides, 'conflict'));
  return merged === null ? null : merged.join('');
}
