import type { ChainStage } from '#documents/chains.js';
import type { PastGroup } from '../past.js';

const SYMBOLS = 12;

/** A stage of one or more groups as the document has it. */
export function describeStage(groups: readonly PastGroup[], why: string): ChainStage {
  const first = groups[0];
  const files = new Map<number, ChainStage['files'][number]>();
  for (const group of groups)
    for (const { lineage, path, role, addedLines, removedLines } of group.files) {
      const held = files.get(lineage);
      files.set(lineage, {
        path,
        role,
        added: sum(held?.added ?? 0, addedLines),
        removed: sum(held?.removed ?? 0, removedLines),
      });
    }
  const tests = new Map(
    groups.flatMap(({ tests }) =>
      tests.map(({ path, name, change }) => [`${path}\0${name ?? ''}`, { path, name, change }] as const),
    ),
  );
  return {
    title: first?.title ?? '',
    intent: first?.intent ?? '',
    commits: groups.flatMap(({ commits }) => commits),
    groups: groups.flatMap(({ id, parts }) => parts?.map((part) => part.id) ?? [id]),
    at: groups.at(-1)?.at ?? null,
    symbols: symbolsOf(groups),
    files: [...files.values()],
    tests: [...tests.values()],
    why,
    sourceLines: groups.reduce<number | null>((total, { sourceLinesAdded }) => sum(total, sourceLinesAdded), 0),
    testLines: groups.reduce<number | null>((total, { testLinesAdded }) => sum(total, testLinesAdded), 0),
  };
}

/** Unknown and something is unknown. */
function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** Definitions of the source: new ones first, then changed ones. */
function symbolsOf(groups: readonly PastGroup[]): string[] {
  const source = groups
    .flatMap(({ definitions }) => definitions)
    .filter(({ inTest, change }) => !inTest && change !== 'moved' && change !== 'removed');
  const order = [...source.filter(({ change }) => change === 'added'), ...source];
  return [...new Set(order.map(({ qualifiedName }) => qualifiedName))].slice(0, SYMBOLS);
}
