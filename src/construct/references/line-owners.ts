import { isDistinctive } from './line-census.js';
import { similarity } from './similar-lines.js';
import type { Atom } from './weave-atoms.js';

/** Likeness from which a new line counts as a form of an old one. */
const ALIKE = 0.6;
/** Comparisons of one edit beyond which likeness is not asked for. */
const MAX_COMPARISONS = 250_000;

/**
 * The lines that an insertion was moved from: most of its distinctive lines were removed elsewhere by the same version,
 * all of them of one owner. Null for an insertion that is new, or moved from nobody's lines in particular.
 */
export function movedOwner(texts: readonly string[], removed: readonly Atom[]): Atom | null {
  const distinctive = texts.map((text) => text.trim()).filter(isDistinctive);
  if (distinctive.length === 0 || removed.length === 0) return null;
  const sources = new Map(removed.map((atom) => [atom.text.trim(), atom]));
  const found = distinctive.flatMap((text) => sources.get(text) ?? []);
  if (2 * found.length <= distinctive.length || new Set(found.map((atom) => atom.owner)).size !== 1) return null;
  const [first] = found;
  // What was moved from nobody's lines stands on its own.
  return first === undefined || first.owner < 0 ? null : first;
}

/**
 * For every new line of an edit the old line whose owner it has: the same text, the text that it is most like, or the
 * owner of the new lines around it. Null where a line that says something is like nothing and its neighbours disagree,
 * and where a line of the chain is like no new line.
 */
export function ownersByLikeness(
  texts: readonly string[],
  removed: readonly Atom[],
  removedByVersion: readonly Atom[],
): Atom[] | null {
  if (texts.length * removed.length > MAX_COMPARISONS) return null;
  const hosts = texts.map((text) => (says(text) ? likest(text, removed, removedByVersion) : null));
  // A line of the chain that became nothing recognisable may be part of anything.
  const lost = removed.some((atom) => atom.owner >= 0 && says(atom.text) && !hosts.includes(atom));
  return lost ? null : fillBetween(texts, hosts, removed);
}

function likest(text: string, removed: readonly Atom[], removedByVersion: readonly Atom[]): Atom | null {
  const same = [...removed, ...removedByVersion].filter((atom) => atom.text.trim() === text.trim());
  if (same.length > 0) return new Set(same.map((atom) => atom.owner)).size === 1 ? (same[0] ?? null) : null;
  let best: { atom: Atom; likeness: number } | null = null;
  let rival = 0;
  for (const atom of removed) {
    const likeness = says(atom.text) ? similarity(atom.text, text) : 0;
    if (best === null || likeness > best.likeness) {
      if (best !== null && best.atom.owner !== atom.owner) rival = Math.max(rival, best.likeness);
      best = { atom, likeness };
    } else if (best.atom.owner !== atom.owner) rival = Math.max(rival, likeness);
  }
  // As like another owner's line: no evidence.
  return best !== null && best.likeness >= ALIKE && best.likeness > rival ? best.atom : null;
}

function fillBetween(
  texts: readonly string[],
  hosts: readonly (Atom | null)[],
  removed: readonly Atom[],
): Atom[] | null {
  const filled: Atom[] = [];
  for (const [index, host] of hosts.entries()) {
    if (host !== null) {
      filled.push(host);
      continue;
    }
    const above = filled.at(-1) ?? removed[0];
    const below = hosts.slice(index + 1).find((one) => one !== null) ?? removed.at(-1);
    if (above === undefined || below === undefined) return null;
    // A bracket or blank line goes with the text above it; a line that says something needs both to agree.
    if (above.owner !== below.owner && says(texts[index] ?? '')) return null;
    filled.push(above);
  }
  return filled;
}

/** True for a line with a word in it. */
function says(text: string): boolean {
  return /[A-Za-z0-9]/.test(text);
}
