import { joinLines } from './diff-lines.js';
import { type MergePart, mergeLines } from './merge-lines.js';
import { sidesOf } from './resolve-three-way.js';
import type { Overlap, Resolution, Resolver } from './resolver.js';
import { tokensOf } from './similar-lines.js';
import { isText } from './text.js';

const LAYER = 'behaviour-free';

/** A version number that the stage and later work both raised stays as it is now: it is no behaviour of the stage. */
export const versionNumbers: Resolver = {
  layer: LAYER,
  resolve: async ({ base, ours, theirs }) => {
    if (base === null || ours === null || theirs === null || ![base, ours, theirs].every(isText))
      return { kind: 'undecided', why: 'not a text on all sides', hunk: null };
    const settle = (part: Conflict) => (isVersionBump(part) ? { kept: part.ours, dropped: [] } : null);
    return settleParts({ base, ours, theirs }, settle, 'version numbers stay the checkpoint’s');
  },
};

/**
 * Prose is never a reason to give a state up. Where later words overlap with the stage's, the lines that say what the
 * stage's lines say are dropped; a short part that says none of it goes back to its words before the stage.
 */
export const prose: Resolver = {
  layer: LAYER,
  resolve: async (overlap) => {
    const { base, ours, theirs, context } = overlap;
    if (context.treatment !== 'prose') return { kind: 'undecided', why: 'not prose', hunk: null };
    if (theirs === null) return { kind: 'delete', why: 'prose that came with the stage', explained: [] };
    if (ours === null) return { kind: 'delete', why: 'prose that is gone at the checkpoint', explained: [] };
    if (base === null || ![base, ours, theirs].every(isText))
      return { kind: 'bytes', bytes: theirs, why: 'prose: back to its content before the stage', explained: [] };
    return settleParts(
      { base, ours, theirs },
      settleProse,
      'prose: what says the same as the stage’s lines was dropped',
    );
  },
};

type Conflict = Extract<MergePart, { kind: 'conflict' }>;
type Settled = { kept: readonly string[]; dropped: readonly string[] };

function settleParts(
  sides: Pick<Overlap, 'base' | 'ours' | 'theirs'>,
  settle: (part: Conflict) => Settled | null,
  why: string,
): Resolution {
  const lines: string[] = [];
  const explained: string[] = [];
  for (const part of mergeLines(sidesOf(sides.base, sides.ours, sides.theirs), 'apart')) {
    const settled = part.kind === 'settled' ? { kept: part.lines, dropped: [] } : settle(part);
    if (settled === null) return { kind: 'undecided', why: 'behaviour overlaps with later work', hunk: null };
    lines.push(...settled.kept);
    explained.push(...settled.dropped);
  }
  return { kind: 'bytes', bytes: joinLines(lines), why, explained };
}

/** Every line of all three sides names a version. */
function isVersionBump({ base, ours, theirs }: Conflict): boolean {
  const lines = [...base, ...ours, ...theirs];
  return ours.length > 0 && lines.every((line) => /version/i.test(line) && /[0-9]+\.[0-9]+/.test(line));
}

/** A part of at most so many lines goes back whole where none of its lines is known to be the stage's. */
const SHORT = 12;
/** Share of a line's words that the stage's lines have, from which it says the same. */
const SAME_WORDS = 0.7;

function settleProse({ base, ours, theirs }: Conflict): Settled {
  const before = new Set(theirs.map((line) => line.trim()));
  const own = base.filter((line) => !before.has(line.trim()));
  const said = new Set(own.flatMap(wordsOf));
  const tells = (line: string, afterDropped: boolean): boolean => {
    const words = wordsOf(line);
    if (words.length === 0) return false;
    const known = words.filter((word) => said.has(word)).length;
    const says = known >= SAME_WORDS * words.length;
    // A short line, or one of references alone, continues the one above it.
    if (says && words.length >= 3) return true;
    return afterDropped && (says || words.every((word) => /^(?:issue|pr|gh|[0-9]+)$/.test(word)));
  };
  const kept: string[] = [];
  const dropped: string[] = [];
  let afterDropped = false;
  for (const line of ours) {
    afterDropped = tells(line, afterDropped);
    (afterDropped ? dropped : kept).push(line);
  }
  if (dropped.length === 0 && own.length > 0 && ours.length <= SHORT) return { kept: theirs, dropped: ours };
  return { kept, dropped };
}

function wordsOf(line: string): string[] {
  return tokensOf(line.toLowerCase()).filter((token) => /[a-z0-9\u0080-\u00ff]/.test(token));
}
