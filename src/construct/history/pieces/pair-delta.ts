import type { DefinitionKind } from '#languages/index.js';
import { hashLines } from './line-hashes.js';
import type { PieceDefinition, PieceFacts, PieceImport } from './piece-facts.js';
import type { Outline } from './piece-table.js';

/** A definition that differs between two versions of a file. */
export interface DefinitionDelta {
  kind: DefinitionKind;
  name: string;
  qualifiedName: string;
  signature: string;
  exported: boolean;
  inTest: boolean;
  change: 'added' | 'removed' | 'signature' | 'body';
  /** Of the new content, of the old where it was removed. */
  contentHash: string;
}

export interface TitleDelta {
  title: string;
  change: 'added' | 'removed' | 'body';
}

/** Names with their counts, in order of appearance. */
export type NameCounts = [name: string, count: number][];

/** What changed between two versions of a file. */
export interface PairDelta {
  definitions: DefinitionDelta[];
  titles: TitleDelta[];
  importsAdded: PieceImport[];
  importsRemoved: PieceImport[];
  /** Names called in the changed pieces, with how many more calls there are than before (0: as many or fewer). */
  calls: NameCounts;
  /** Identifiers of which there are more than before. */
  identifiers: NameCounts;
  addedLines: number;
  removedLines: number;
  /** The telling ones of these lines, as of `hashLines`. */
  added: string;
  removed: string;
}

/** Compares two versions by the pieces that only one of them has. */
export function pairDelta(before: Outline, after: Outline, factsOf: (piece: number) => PieceFacts): PairDelta {
  const removed = without(before.pieces, after.pieces).map(factsOf);
  const added = without(after.pieces, before.pieces).map(factsOf);
  const lines = compareLines(removed, added);
  const imports = compareImports(removed, added);
  return {
    definitions: compareDefinitions(removed, added).map((change) =>
      seenFromOutside(change, change.change === 'removed' ? before : after),
    ),
    titles: compareTitles(removed, added),
    ...imports,
    calls: more(
      added.map((facts) => facts.calls),
      removed.map((facts) => facts.calls),
    ),
    identifiers: more(
      added.map((facts) => facts.identifiers),
      removed.map((facts) => facts.identifiers),
    ).filter(([, count]) => count > 0),
    ...lines,
  };
}

/** Multiset difference that keeps order. */
function without(all: readonly number[], others: readonly number[]): number[] {
  const left = new Map<number, number>();
  for (const id of others) left.set(id, (left.get(id) ?? 0) + 1);
  return all.filter((id) => {
    const count = left.get(id) ?? 0;
    if (count > 0) left.set(id, count - 1);
    return count === 0;
  });
}

interface Placed {
  definition: PieceDefinition;
  owner: Placed | null;
}

function placedDefinitions(pieces: readonly PieceFacts[]): Map<string, Placed[]> {
  const byName = new Map<string, Placed[]>();
  for (const { definitions } of pieces) {
    const placed: Placed[] = [];
    for (const definition of definitions) {
      const own: Placed = { definition, owner: placed[definition.owner] ?? null };
      placed.push(own);
      const same = byName.get(definition.qualifiedName);
      if (same === undefined) byName.set(definition.qualifiedName, [own]);
      else same.push(own);
    }
  }
  return byName;
}

const CONTAINERS: ReadonlySet<DefinitionKind> = new Set(['class', 'interface', 'enum', 'type', 'module']);

function compareDefinitions(removed: readonly PieceFacts[], added: readonly PieceFacts[]): DefinitionDelta[] {
  const before = placedDefinitions(removed);
  const after = placedDefinitions(added);
  const changes = new Map<Placed, DefinitionDelta>();
  for (const [name, placed] of after) {
    const old = before.get(name) ?? [];
    const { unpairedNew, unpairedOld } = withoutEqual(placed, old);
    unpairedNew.forEach((own, index) => {
      const earlier = unpairedOld[index];
      const change =
        earlier === undefined
          ? 'added'
          : earlier.definition.signature === own.definition.signature
            ? 'body'
            : 'signature';
      changes.set(own, delta(own.definition, change));
    });
    for (const gone of unpairedOld.slice(unpairedNew.length)) changes.set(gone, delta(gone.definition, 'removed'));
  }
  for (const [name, placed] of before)
    if (!after.has(name)) for (const gone of placed) changes.set(gone, delta(gone.definition, 'removed'));
  return withoutEchoes(changes);
}

/** Equal definitions, which only moved within the file, are no change. */
function withoutEqual(
  now: readonly Placed[],
  old: readonly Placed[],
): { unpairedNew: Placed[]; unpairedOld: Placed[] } {
  const unpairedOld = [...old];
  const unpairedNew = now.filter(({ definition }) => {
    const at = unpairedOld.findIndex((earlier) => earlier.definition.contentHash === definition.contentHash);
    if (at >= 0) unpairedOld.splice(at, 1);
    return at < 0;
  });
  return { unpairedNew, unpairedOld };
}

/** A container that changed only because its members did is told by its members. */
function withoutEchoes(changes: Map<Placed, DefinitionDelta>): DefinitionDelta[] {
  const echoes = new Set<Placed>();
  for (const [{ owner }] of changes) {
    if (owner === null || !CONTAINERS.has(owner.definition.kind)) continue;
    if (changes.get(owner)?.change === 'body') echoes.add(owner);
  }
  return [...changes].filter(([placed]) => !echoes.has(placed)).map(([, change]) => change);
}

function delta(definition: PieceDefinition, change: DefinitionDelta['change']): DefinitionDelta {
  const { kind, name, qualifiedName, signature, exported, inTest, contentHash } = definition;
  return { kind, name, qualifiedName, signature, exported, inTest, change, contentHash };
}

/** An export list elsewhere in the file makes a definition visible, and with it the members that do not hide. */
function seenFromOutside(change: DefinitionDelta, { blob }: Outline): DefinitionDelta {
  if (change.exported || blob.exportedLater.length === 0) return change;
  const [root = ''] = change.qualifiedName.split('.');
  const hides = change.name.startsWith('#') || /^(?:private|protected)\b/.test(change.signature);
  return blob.exportedLater.includes(root) && !hides ? { ...change, exported: true } : change;
}

function compareTitles(removed: readonly PieceFacts[], added: readonly PieceFacts[]): TitleDelta[] {
  const before = new Set(removed.flatMap((facts) => facts.titles));
  const after = new Set(added.flatMap((facts) => facts.titles));
  return [
    ...[...after].map((title): TitleDelta => ({ title, change: before.has(title) ? 'body' : 'added' })),
    ...[...before].filter((title) => !after.has(title)).map((title): TitleDelta => ({ title, change: 'removed' })),
  ];
}

function compareImports(
  removed: readonly PieceFacts[],
  added: readonly PieceFacts[],
): Pick<PairDelta, 'importsAdded' | 'importsRemoved'> {
  const before = removed.flatMap((facts) => facts.imports);
  const after = added.flatMap((facts) => facts.imports);
  return { importsAdded: importsLess(after, before), importsRemoved: importsLess(before, after) };
}

/** Imports with the names that the others do not take from the same place. */
function importsLess(imports: readonly PieceImport[], others: readonly PieceImport[]): PieceImport[] {
  const taken = new Map<string, Set<string>>();
  for (const { specifier, within, names } of others) {
    const key = `${within}\0${specifier}`;
    const held = taken.get(key) ?? new Set();
    for (const name of names) held.add(name);
    taken.set(key, held);
  }
  return imports.flatMap((statement) => {
    const held = taken.get(`${statement.within}\0${statement.specifier}`);
    if (held === undefined) return [statement];
    const names = statement.names.filter((name) => !held.has(name));
    return names.length === 0 ? [] : [{ ...statement, names }];
  });
}

function more(after: readonly Map<string, number>[], before: readonly Map<string, number>[]): NameCounts {
  const counts = new Map<string, number>();
  for (const map of after) for (const [name, count] of map) counts.set(name, (counts.get(name) ?? 0) + count);
  for (const map of before)
    for (const [name, count] of map) {
      const now = counts.get(name);
      if (now !== undefined) counts.set(name, now - count);
    }
  return Array.from(counts, ([name, count]) => [name, Math.max(0, count)]);
}

/** Lines counted as a bag: a line that only moved is neither added nor removed. */
function compareLines(
  removed: readonly PieceFacts[],
  added: readonly PieceFacts[],
): Pick<PairDelta, 'addedLines' | 'removedLines' | 'added' | 'removed'> {
  const { before, after } = differing(textOf(removed), textOf(added));
  const left = new Map<string, number>();
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  const fresh: string[] = [];
  for (const line of after) {
    const count = left.get(line) ?? 0;
    if (count === 0) fresh.push(line);
    else left.set(line, count - 1);
  }
  const gone = [...left].flatMap(([line, count]) => Array.from({ length: count }, () => line));
  return { addedLines: fresh.length, removedLines: gone.length, added: hashLines(fresh), removed: hashLines(gone) };
}

function textOf(pieces: readonly PieceFacts[]): string {
  return pieces.length === 1 ? (pieces[0]?.text ?? '') : pieces.map(({ text }) => text).join('');
}

/** Lines between the common beginning and the common end. */
function differing(before: string, after: string): { before: string[]; after: string[] } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  const start = head === 0 ? 0 : before.lastIndexOf('\n', head - 1) + 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  // The common end begins after a line's end.
  const cut = before.indexOf('\n', before.length - tail) + 1;
  const end = cut === 0 ? 0 : before.length - cut;
  return {
    before: linesOf(before.slice(start, before.length - end)),
    after: linesOf(after.slice(start, after.length - end)),
  };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
