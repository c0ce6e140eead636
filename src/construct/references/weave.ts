import { diffLines, type Hunk } from './diff-lines.js';
import { pairSimilar, standsWithin } from './similar-lines.js';

/** A version of a file on the way through history: its lines (null: the file is not there) and whose work made it. */
export interface WeaveVersion {
  lines: readonly string[] | null;
  /** Position of the chain commit that made this version; null for anybody else's. */
  position: number | null;
}

/** Owner of what is not the chain's. */
const BASE = -1;

/** One edit: a run of lines written at once. */
interface EditFacts {
  /** Nothing was taken away for it. */
  pure: boolean;
}

/** One line's life. */
interface Atom {
  text: string;
  /**
   * Position of the chain commit without which the line would not be: its author, or the author of the lines that
   * later work wrote it into.
   */
  owner: number;
  /** Two lines of one edit enclose what belongs to it. */
  edit: EditFacts;
  /** Owner of the edit that removed it; null while it lives. */
  endedBy: number | null;
  /** Later work wrote it into lines of the chain. */
  adopted: boolean;
}

/** An edit of later work that is part of the chain's lines and part of others': between these positions nobody knows. */
interface Entangled {
  /** States without the commits from this one on are certain again. */
  lowest: number;
  highest: number;
  lines: readonly string[];
}

/** All versions of a file in one list of lines, from which any set of newest chain commits can be left out. */
export interface Weave {
  /**
   * The file as it would be without the chain commits at `position` and after.
   * @returns `lines: null` where the file would not be there; `entangled` where an edit is part one's, part another's
   */
  without(position: number): { lines: string[] | null } | { entangled: readonly string[] };
  /** Lines of later work that go with the commit at `position`: written into its lines, or restored without it. */
  adoptedBy(position: number): string[];
}

/** Weaves the versions, oldest first; the first is the file before any chain commit touched it. */
export function weave(versions: readonly WeaveVersion[]): Weave {
  const atoms: Atom[] = [];
  const entangled: Entangled[] = [];
  for (const [index, version] of versions.entries()) {
    const before = atoms.filter((atom) => atom.endedBy === null);
    const now = version.lines ?? [];
    const edit: EditFacts = { pure: true };
    if (index === 0) {
      for (const text of now) atoms.push({ text, owner: BASE, edit, endedBy: null, adopted: false });
      continue;
    }
    const hunks = diffLines(
      before.map((atom) => atom.text),
      now,
    );
    for (const hunk of hunks)
      weaveHunk({ atoms, entangled, written: null }, { before, now, hunk, position: version.position });
  }
  const presence = versions.map(({ lines, position }) => ({ there: lines !== null, position }));
  return {
    without: (position) => {
      const unsure = entangled.filter((one) => position > one.lowest && position <= one.highest);
      if (unsure.length > 0) return { entangled: unsure.flatMap((one) => [...one.lines]) };
      if (!isThere(presence, position)) return { lines: null };
      return { lines: atoms.filter((atom) => lives(atom, position)).map((atom) => atom.text) };
    },
    adoptedBy: (position) => atoms.filter((atom) => atom.adopted && atom.owner === position).map((atom) => atom.text),
  };
}

/** A line is there where its owner is kept and whoever removed it is left out. */
function lives(atom: Atom, without: number): boolean {
  return atom.owner < without && (atom.endedBy === null || atom.endedBy >= without);
}

/** The file's last appearance or disappearance whose maker is kept decides. */
function isThere(presence: readonly { there: boolean; position: number | null }[], without: number): boolean {
  let there = presence[0]?.there ?? false;
  for (const [index, now] of presence.entries()) {
    const changed = index > 0 && presence[index - 1]?.there !== now.there;
    if (changed && (now.position ?? BASE) < without) there = now.there;
  }
  return there;
}

interface Edit {
  before: readonly Atom[];
  now: readonly string[];
  hunk: Hunk;
  position: number | null;
}

interface Woven {
  atoms: Atom[];
  entangled: Entangled[];
  /** The last line that the hunk at hand has written: its next ones go behind it. */
  written: Atom | null;
}

function weaveHunk(into: Woven, { before, now, hunk, position }: Edit): void {
  const removed = before.slice(hunk.aStart, hunk.aEnd);
  const texts = now.slice(hunk.bStart, hunk.bEnd);
  const edit: EditFacts = { pure: removed.length === 0 };
  if (position !== null) {
    for (const atom of removed) atom.endedBy = position;
    place(into, removed.at(-1) ?? before[hunk.aStart - 1] ?? null, texts, { owner: position, edit, adopted: false });
    return;
  }
  for (const part of followLines(removed, texts)) {
    const previous = before[hunk.aStart + part.gone.from - 1] ?? null;
    const next = before[hunk.aStart + part.gone.to] ?? null;
    const gone = removed.slice(part.gone.from, part.gone.to);
    const came = texts.slice(part.came.from, part.came.to);
    weaveLater(into, { before, previous, next, removed: gone, texts: came, edit });
  }
}

interface Part {
  gone: { from: number; to: number };
  came: { from: number; to: number };
}

/**
 * Splits an edit of later work on lines of several owners: every line that became another is followed on its own, what
 * lies between the pairs together. An edit that joins or breaks lines is left whole.
 */
function followLines(removed: readonly Atom[], texts: readonly string[]): Part[] {
  const whole = [{ gone: { from: 0, to: removed.length }, came: { from: 0, to: texts.length } }];
  if (new Set(removed.map((atom) => atom.owner)).size < 2 || texts.length === 0) return whole;
  const pairs = pairSimilar(
    removed.map((atom) => atom.text),
    texts,
  );
  const parts: Part[] = [];
  let at = { gone: 0, came: 0 };
  for (const pair of [...pairs, { before: removed.length, after: texts.length }]) {
    parts.push({ gone: { from: at.gone, to: pair.before }, came: { from: at.came, to: pair.after } });
    parts.push({ gone: { from: pair.before, to: pair.before + 1 }, came: { from: pair.after, to: pair.after + 1 } });
    at = { gone: pair.before + 1, came: pair.after + 1 };
  }
  parts.pop();
  const pairedOld = pairs.map((pair) => removed[pair.before]?.text ?? '').join('');
  const pairedNow = pairs.map((pair) => texts[pair.after] ?? '').join('');
  const joined = parts.some(({ gone, came }) => {
    if (gone.to > gone.from === came.to > came.from) return false;
    return (
      removed.slice(gone.from, gone.to).some(({ text }) => standsWithin(text, pairedNow, pairedOld)) ||
      texts.slice(came.from, came.to).some((text) => standsWithin(text, pairedOld, pairedNow))
    );
  });
  if (joined) return whole;
  return parts.filter(({ gone, came }) => gone.to > gone.from || came.to > came.from);
}

interface LaterEdit {
  before: readonly Atom[];
  previous: Atom | null;
  next: Atom | null;
  removed: readonly Atom[];
  texts: readonly string[];
  edit: EditFacts;
}

function weaveLater(into: Woven, later: LaterEdit): void {
  const { removed, texts, edit } = later;
  if (removed.length === 0) {
    const host = enclosing(later);
    const facts = { owner: host?.owner ?? BASE, edit: host?.edit ?? edit, adopted: host !== null };
    place(into, later.previous, texts, facts);
    return;
  }
  const owners = removed.map((atom) => atom.owner);
  const [lowest, highest] = [Math.min(...owners), Math.max(...owners)];
  if (texts.length > 0 && lowest !== highest)
    into.entangled.push({ lowest, highest, lines: [...removed.map((atom) => atom.text), ...texts] });
  for (const atom of removed) atom.endedBy = texts.length === 0 ? atom.owner : highest;
  const host = removed.find((atom) => atom.owner === highest) ?? null;
  const facts = { owner: highest, edit: host?.edit ?? edit, adopted: highest !== BASE };
  place(into, removed.at(-1) ?? null, texts, facts);
}

function place(
  into: Woven,
  after: Atom | null,
  texts: readonly string[],
  facts: Pick<Atom, 'owner' | 'edit' | 'adopted'>,
): void {
  const indexOf = (atom: Atom | null): number => (atom === null ? -1 : into.atoms.indexOf(atom));
  const added = texts.map((text): Atom => ({ text, endedBy: null, ...facts }));
  into.atoms.splice(Math.max(indexOf(after), indexOf(into.written)) + 1, 0, ...added);
  into.written = added.at(-1) ?? into.written;
}

/** The chain's lines that an insertion lies inside of or continues; null where it stands on its own. */
function enclosing({ before, previous, next, texts }: LaterEdit): Atom | null {
  if (previous === null || previous.owner === BASE) return null;
  if (next !== null && next.owner === previous.owner && next.edit === previous.edit) return previous;
  return continues(before, previous, next, texts) ? previous : null;
}

/** Deeper indented than the block that the chain inserted just above, which ends here: part of that block. */
function continues(before: readonly Atom[], previous: Atom, next: Atom | null, texts: readonly string[]): boolean {
  if (!previous.edit.pure) return false;
  const written = indentOf(texts.find((text) => text.trim() !== '') ?? '');
  const block: number[] = [];
  for (let at = before.indexOf(previous); at >= 0 && before[at]?.edit === previous.edit; at -= 1) {
    const text = before[at]?.text ?? '';
    if (text.trim() !== '') block.push(indentOf(text));
  }
  const outer = Math.min(...block);
  const follows = next === null || next.text.trim() === '' ? 0 : indentOf(next.text);
  return block.length > 0 && written > outer && follows <= outer;
}

function indentOf(text: string): number {
  const blanks = /^[ \t]*/.exec(text)?.[0] ?? '';
  return blanks.replaceAll('\t', '        ').length;
}
