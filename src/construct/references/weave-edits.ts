import { followLines } from './follow-lines.js';
import { movedOwner, ownersByLikeness } from './line-owners.js';
import { type Atom, BASE, type Edit, type EditFacts, type Entangled } from './weave-atoms.js';

interface Woven {
  atoms: Atom[];
  entangled: Entangled[];
}

/** An edit of the chain's own: its lines are the commit's, what it removed comes back without it. */
export function weaveChainEdit(atoms: Atom[], { removed, texts, previous }: Edit, position: number): void {
  for (const atom of removed) end(atom, position);
  const edit: EditFacts = { replaced: removed, left: 0 };
  const facts = { owner: position, edit, adopted: false };
  place(atoms, removed.at(-1) ?? previous, null, texts, facts);
}

/** All edits of one version that later work made. */
export function weaveLaterEdits(into: Woven, before: readonly Atom[], edits: readonly Edit[], likeness: boolean): void {
  const removed = edits.flatMap((edit) => [...edit.removed]);
  for (const edit of edits) {
    const owners = new Set(edit.removed.map((atom) => atom.owner));
    if (likeness && owners.size > 1 && weaveByLikeness(into, edit, removed)) continue;
    let written: Atom | null = null;
    for (const part of followLines(edit)) written = weavePart(into, before, part, written, removed) ?? written;
  }
}

/** Writes one part of a later edit. @returns the last line written, null where none was */
function weavePart(
  into: Woven,
  before: readonly Atom[],
  edit: Edit,
  written: Atom | null,
  removedByVersion: readonly Atom[],
): Atom | null {
  const { removed, texts, previous } = edit;
  const own: EditFacts = { replaced: [], left: 0 };
  if (removed.length === 0) {
    const moved = movedOwner(texts, removedByVersion);
    const host = moved ?? enclosing(before, edit);
    const facts = { owner: host?.owner ?? BASE, edit: host?.edit ?? own, adopted: host !== null };
    return place(into.atoms, previous, written, texts, facts);
  }
  const owners = removed.map((atom) => atom.owner);
  const [lowest, highest] = [Math.min(...owners), Math.max(...owners)];
  if (texts.length > 0 && lowest !== highest)
    into.entangled.push({ lowest, highest, lines: [...removed.map((atom) => atom.text), ...texts] });
  for (const atom of removed) end(atom, texts.length === 0 ? atom.owner : highest);
  const host = removed.find((atom) => atom.owner === highest) ?? null;
  const facts = { owner: highest, edit: host?.edit ?? own, adopted: highest !== BASE };
  const last = place(into.atoms, removed.at(-1) ?? null, written, texts, facts);
  if (texts.length === 0) for (const atom of removed) forgetReplaced(atom.edit);
  return last;
}

/** Tells the new lines apart by what they are like. @returns false where some are like nothing in particular */
function weaveByLikeness({ atoms }: Woven, { removed, texts }: Edit, removedByVersion: readonly Atom[]): boolean {
  const hosts = ownersByLikeness(texts, removed, removedByVersion);
  if (hosts === null) return false;
  for (const atom of removed) end(atom, atom.owner);
  let written: Atom | null = null;
  for (const [index, text] of texts.entries()) {
    const host = hosts[index] ?? null;
    const own: EditFacts = host?.edit ?? { replaced: [], left: 0 };
    const facts = { owner: host?.owner ?? BASE, edit: own, adopted: host !== null && host.owner !== BASE };
    written = place(atoms, removed.at(-1) ?? null, written, [text], facts) ?? written;
  }
  return true;
}

function end(atom: Atom, by: number): void {
  atom.endedBy = by;
  atom.edit.left -= 1;
}

/** Later work deleted all that an edit of the chain wrote: it would have deleted what stood there before as well. */
function forgetReplaced(edit: EditFacts): void {
  if (edit.left > 0) return;
  for (const atom of edit.replaced) if (atom.endedBy !== null) atom.endedBy = BASE;
}

/** Puts lines behind `after`, or behind `written` where that is further down. */
function place(
  atoms: Atom[],
  after: Atom | null,
  written: Atom | null,
  texts: readonly string[],
  facts: Pick<Atom, 'owner' | 'edit' | 'adopted'>,
): Atom | null {
  const indexOf = (atom: Atom | null): number => (atom === null ? -1 : atoms.indexOf(atom));
  const added = texts.map((text): Atom => ({ text, endedBy: null, ...facts }));
  atoms.splice(Math.max(indexOf(after), indexOf(written)) + 1, 0, ...added);
  facts.edit.left += added.length;
  return added.at(-1) ?? null;
}

/** The chain's lines that an insertion lies inside of or continues; null where it stands on its own. */
function enclosing(before: readonly Atom[], edit: Edit): Atom | null {
  const { previous, next, texts } = edit;
  if (previous === null || previous.owner === BASE) return null;
  if (next !== null && next.owner !== BASE && sharesEdit(before, previous, next))
    return next.owner > previous.owner ? next : previous;
  return continues(before, previous, next, texts) ? previous : null;
}

/** True where one edit of the chain has lines on both sides, with nothing but the chain's lines in between. */
function sharesEdit(before: readonly Atom[], previous: Atom, next: Atom): boolean {
  if (previous.edit === next.edit) return true;
  const above = new Set<EditFacts>();
  for (let at = before.indexOf(previous); at >= 0 && before[at]?.owner !== BASE; at -= 1) {
    const edit = before[at]?.edit;
    if (edit !== undefined) above.add(edit);
  }
  for (let at = before.indexOf(next); at < before.length && before[at]?.owner !== BASE; at += 1) {
    const edit = before[at]?.edit;
    if (edit !== undefined && above.has(edit)) return true;
  }
  return false;
}

/** Deeper indented than the block that the chain inserted just above, which ends here: part of that block. */
function continues(before: readonly Atom[], previous: Atom, next: Atom | null, texts: readonly string[]): boolean {
  if (previous.edit.replaced.length > 0) return false;
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
