import { pathBytes, showPath } from '#kernel/bytes.js';
import type { Past, PastGroup } from '../past.js';
import type { LabelOf } from './explain-link.js';
import { traceName } from './names.js';

/** How traces are called when people read of them: names as they are written in the code, paths as they are now. */
export function traceLabels(nodes: readonly PastGroup[], past: Pick<Past, 'lineages' | 'commits'>): LabelOf {
  let spellings: Map<string, string> | null = null;
  let definitions: Map<string, string> | null = null;
  return (key) => {
    const rest = key.slice(2);
    switch (key[0]) {
      case 'f':
        return showPath(pathBytes(past.lineages[Number(rest)]?.paths.at(-1) ?? rest));
      case 'l':
        return `those of "${nodes[Number(rest)]?.title ?? rest}"`;
      case 'r':
        return rest.startsWith('#') ? rest : (past.commits[Number(rest)]?.id.slice(0, 12) ?? rest);
      case 'd':
        definitions ??= new Map(
          nodes.flatMap((group) => group.definitions.map((each) => [each.key, each.qualifiedName])),
        );
        return definitions.get(rest) ?? rest;
      default:
        spellings ??= spellingsOf(nodes);
        return spellings.get(rest) ?? rest;
    }
  };
}

/** The first spelling of each name, those of definitions before those of other identifiers. */
function spellingsOf(nodes: readonly PastGroup[]): Map<string, string> {
  const found = new Map<string, string>();
  const note = (name: string): void => {
    const term = traceName(name);
    if (!found.has(term)) found.set(term, name);
  };
  for (const { definitions } of nodes) for (const { name, kind } of definitions) if (kind !== 'test') note(name);
  for (const { identifiers } of nodes) for (const name of identifiers.keys()) note(name);
  for (const { testIdentifiers } of nodes) for (const name of testIdentifiers.keys()) note(name);
  return found;
}
