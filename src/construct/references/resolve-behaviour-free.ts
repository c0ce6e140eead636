import { joinLines } from './diff-lines.js';
import { type MergePart, mergeLines } from './merge-lines.js';
import { sidesOf } from './resolve-three-way.js';
import type { Overlap, Resolution, Resolver } from './resolver.js';
import { isText } from './text.js';

/**
 * What has no behaviour is never a reason to give a state up. Prose: a part that later words overlap goes back to the
 * words before the feature, so that no later stage leaks. In any file: a version number stays as it is now.
 */
export const behaviourFree: Resolver = {
  layer: 'behaviour-free',
  resolve: async (overlap) => {
    const { base, ours, theirs, context } = overlap;
    if (context.treatment === 'prose') return resolveProse(overlap);
    if (base === null || ours === null || theirs === null || ![base, ours, theirs].every(isText))
      return { kind: 'undecided', why: 'not a file without behaviour', hunk: null };
    const parts = mergeLines(sidesOf(base, ours, theirs), 'apart');
    return settleParts(parts, (part) => (isVersionBump(part) ? 'ours' : null), 'version numbers stay the checkpoint’s');
  },
};

function resolveProse({ base, ours, theirs }: Overlap): Resolution {
  if (theirs === null) return { kind: 'delete', why: 'prose that came with the stage', explained: [] };
  if (ours === null) return { kind: 'delete', why: 'prose that is gone at the checkpoint', explained: [] };
  if (base === null || ![base, ours, theirs].every(isText))
    return { kind: 'bytes', bytes: theirs, why: 'prose: back to its content before the stage', explained: [] };
  const parts = mergeLines(sidesOf(base, ours, theirs), 'apart');
  return settleParts(parts, () => 'theirs', 'prose: the overlapping part is back to its words before the stage');
}

type Conflict = Extract<MergePart, { kind: 'conflict' }>;

function settleParts(
  parts: readonly MergePart[],
  choose: (part: Conflict) => 'ours' | 'theirs' | null,
  why: string,
): Resolution {
  const lines: string[] = [];
  const explained: string[] = [];
  for (const part of parts) {
    if (part.kind === 'settled') {
      lines.push(...part.lines);
      continue;
    }
    const side = choose(part);
    if (side === null) return { kind: 'undecided', why: 'behaviour overlaps with later work', hunk: null };
    lines.push(...part[side]);
    explained.push(...part.ours);
  }
  return { kind: 'bytes', bytes: joinLines(lines), why, explained };
}

/** Every line of all three sides names a version. */
function isVersionBump({ base, ours, theirs }: Conflict): boolean {
  const lines = [...base, ...ours, ...theirs];
  return ours.length > 0 && lines.every((line) => /version/i.test(line) && /[0-9]+\.[0-9]+/.test(line));
}
