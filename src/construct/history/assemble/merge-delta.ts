import { commonLines } from '../pieces/line-hashes.js';
import type { NameCounts, PairDelta } from '../pieces/pair-delta.js';
import type { PieceImport } from '../pieces/piece-facts.js';

/**
 * What a merge itself did to a file: what differs from its first parent and from its branch alike. What only one of
 * them lacks came from the other side, where a commit of its own tells of it. Lines are counted by `hashLines`, which
 * leaves out the shortest.
 */
export function mergeDelta(whole: PairDelta, branch: PairDelta): PairDelta {
  const names = new Set(branch.definitions.map((definition) => definition.qualifiedName));
  const titles = new Set(branch.titles.map(({ title }) => title));
  const added = commonLines(whole.added, branch.added);
  const removed = commonLines(whole.removed, branch.removed);
  return {
    definitions: whole.definitions.filter((definition) => names.has(definition.qualifiedName)),
    titles: whole.titles.filter(({ title }) => titles.has(title)),
    importsAdded: commonImports(whole.importsAdded, branch.importsAdded),
    importsRemoved: commonImports(whole.importsRemoved, branch.importsRemoved),
    calls: commonCounts(whole.calls, branch.calls),
    identifiers: commonCounts(whole.identifiers, branch.identifiers),
    addedLines: added.count,
    removedLines: removed.count,
    added: added.packed,
    removed: removed.packed,
  };
}

function commonCounts(a: NameCounts, b: NameCounts): NameCounts {
  const counts = new Map(b);
  return a.flatMap(([name, count]): NameCounts => {
    const both = Math.min(count, counts.get(name) ?? 0);
    return both > 0 ? [[name, both]] : [];
  });
}

function commonImports(a: readonly PieceImport[], b: readonly PieceImport[]): PieceImport[] {
  const names = new Map<string, Set<string>>();
  const keyOf = ({ within, specifier }: PieceImport): string => `${within}\0${specifier}`;
  for (const statement of b)
    names.set(keyOf(statement), new Set([...(names.get(keyOf(statement)) ?? []), ...statement.names]));
  return a.flatMap((statement) => {
    const held = names.get(keyOf(statement));
    if (held === undefined) return [];
    const taken = statement.names.filter((name) => held.has(name));
    return taken.length === 0 && statement.names.length > 0 ? [] : [{ ...statement, names: taken }];
  });
}
