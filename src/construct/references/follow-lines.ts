import { pairSimilar, standsWithin } from './similar-lines.js';
import type { Edit } from './weave-atoms.js';

interface Part {
  gone: { from: number; to: number };
  came: { from: number; to: number };
}

/**
 * Splits an edit of later work on lines of several owners: every line that became another is followed on its own, what
 * lies between the pairs together. An edit that joins or breaks lines is left whole.
 */
export function followLines(edit: Edit): Edit[] {
  const { removed, texts, previous, next } = edit;
  if (new Set(removed.map((atom) => atom.owner)).size < 2 || texts.length === 0) return [edit];
  const old = removed.map((atom) => atom.text);
  const parts = partsOf(old, texts);
  if (parts === null) return [edit];
  return parts
    .filter(({ gone, came }) => gone.to > gone.from || came.to > came.from)
    .map(({ gone, came }) => ({
      removed: removed.slice(gone.from, gone.to),
      texts: texts.slice(came.from, came.to),
      previous: removed[gone.from - 1] ?? previous,
      next: removed[gone.to] ?? next,
    }));
}

function partsOf(old: readonly string[], now: readonly string[]): Part[] | null {
  const pairs = pairSimilar(old, now);
  const parts: Part[] = [];
  let at = { gone: 0, came: 0 };
  for (const pair of pairs) {
    parts.push({ gone: { from: at.gone, to: pair.before }, came: { from: at.came, to: pair.after } });
    parts.push({
      gone: { from: pair.before, to: pair.before + 1 },
      came: { from: pair.after, to: pair.after + 1 },
    });
    at = { gone: pair.before + 1, came: pair.after + 1 };
  }
  parts.push({ gone: { from: at.gone, to: old.length }, came: { from: at.came, to: now.length } });
  const pairedOld = pairs.map((pair) => old[pair.before] ?? '').join('');
  const pairedNow = pairs.map((pair) => now[pair.after] ?? '').join('');
  const joins = parts.some(({ gone, came }) => {
    if (gone.to > gone.from === came.to > came.from) return false;
    return (
      old.slice(gone.from, gone.to).some((text) => standsWithin(text, pairedNow, pairedOld)) ||
      now.slice(came.from, came.to).some((text) => standsWithin(text, pairedOld, pairedNow))
    );
  });
  return joins ? null : parts;
}
