import { diffLines } from './diff-lines.js';
import { type Atom, BASE, type EditFacts, type Entangled } from './weave-atoms.js';
import { weaveChainEdit, weaveLaterEdits } from './weave-edits.js';

/** A version of a file on the way through history: its lines (null: the file is not there) and whose work made it. */
export interface WeaveVersion {
  lines: readonly string[] | null;
  /** Position of the chain commit that made this version; null for anybody else's. */
  position: number | null;
}

/** All versions of a file in one list of lines, from which any set of newest chain commits can be left out. */
export interface Weave {
  /**
   * The file as it would be without the chain commits at `position` and after.
   * @returns `lines: null` where the file would not be there; `entangled` where an edit is part one's, part another's
   */
  without(position: number): { lines: string[] | null } | { entangled: readonly string[] };
  /** Lines of later work that go with the commit at `position`: written into its lines, or moved with them. */
  adoptedBy(position: number): string[];
}

/**
 * Weaves the versions, oldest first; the first is the file before any chain commit touched it. With `likeness`, an edit
 * of later work on lines of several owners is told apart line by line by what each new line is most like; without it,
 * such an edit is entangled unless its lines pair up in order.
 */
export function weave(versions: readonly WeaveVersion[], likeness = false): Weave {
  const atoms: Atom[] = [];
  const entangled: Entangled[] = [];
  for (const [index, { lines, position }] of versions.entries()) {
    const now = lines ?? [];
    if (index === 0) {
      const edit: EditFacts = { replaced: [], left: 0 };
      for (const text of now) atoms.push({ text, owner: BASE, edit, endedBy: null, adopted: false });
      continue;
    }
    const before = atoms.filter((atom) => atom.endedBy === null);
    const hunks = diffLines(
      before.map((atom) => atom.text),
      now,
    );
    const edits = hunks.map((hunk) => ({
      removed: before.slice(hunk.aStart, hunk.aEnd),
      previous: before[hunk.aStart - 1] ?? null,
      next: before[hunk.aEnd] ?? null,
      texts: now.slice(hunk.bStart, hunk.bEnd),
    }));
    if (position === null) weaveLaterEdits({ atoms, entangled }, before, edits, likeness);
    else for (const edit of edits) weaveChainEdit(atoms, edit, position);
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
