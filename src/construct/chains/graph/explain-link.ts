import type { EvidenceType } from '#documents/chains.js';
import type { EvidenceEdge } from '../chains.js';
import type { PastGroup } from '../past.js';
import { ASPECT } from './aspect.js';
import { evidenceOf } from './aspects.js';
import type { Link } from './connect-groups.js';
import type { TraceIndex } from './trace-index.js';

const SHOWN = 5;

interface Shared {
  key: string;
  older: number;
  newer: number;
  weight: number;
}

/** The evidence of a link as edges, one for each type, each saying what exactly is shared. */
export function explainLink(
  link: Link,
  nodes: readonly PastGroup[],
  index: TraceIndex,
  label: LabelOf,
): EvidenceEdge[] {
  const shared = new Map<EvidenceType, Shared[]>();
  for (const entry of sharedTraces(link, index)) {
    const type = evidenceOf(entry.key, entry.older, entry.newer);
    const list = shared.get(type);
    if (list === undefined) shared.set(type, [entry]);
    else list.push(entry);
  }
  const edges: EvidenceEdge[] = [];
  for (const [type, weight] of Object.entries(link.byType) as [EvidenceType, number][]) {
    const list = (shared.get(type) ?? []).sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1));
    const [from, to] = [nodes[link.from], nodes[link.to]];
    if (from === undefined || to === undefined || list.length === 0) continue;
    edges.push({
      id: `e${link.from}-${link.to}-${type}`,
      from: link.from,
      to: link.to,
      type,
      weight: Math.round(weight * 1000) / 1000,
      explanation: sentenceOf(type, list, label),
    });
  }
  return edges;
}

/** What two groups share: both lists of touches are in the order of traces, so they are read side by side. */
function sharedTraces({ from, to }: Link, { touches }: TraceIndex): Shared[] {
  const [olds, news] = [touches[from] ?? [], touches[to] ?? []];
  const found: Shared[] = [];
  for (let a = 0, b = 0; a < olds.length && b < news.length; ) {
    const [older, newer] = [olds[a], news[b]];
    if (older === undefined || newer === undefined) break;
    if (older.trace.id < newer.trace.id) a += 1;
    else if (older.trace.id > newer.trace.id) b += 1;
    else {
      const weight = older.trace.rarity * older.strength * newer.strength;
      found.push({ key: older.trace.key, older: older.aspects, newer: newer.aspects, weight });
      a += 1;
      b += 1;
    }
  }
  return found;
}

/** The words for a trace's key. */
export type LabelOf = (key: string) => string;

function sentenceOf(type: EvidenceType, list: readonly Shared[], label: LabelOf): string {
  const names = [...new Set(list.map(({ key }) => label(key)))];
  const shown = names.slice(0, SHOWN).join(', ');
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  switch (type) {
    case 'definitions': {
      const isMade = list.slice(0, SHOWN).some(({ older }) => (older & ASPECT.added) !== 0);
      return isMade
        ? `the later change works on or uses what the earlier one made: ${shown}${more}`
        : `both work on ${shown}${more}`;
    }
    case 'lines':
      return `lines of one were rewritten later: ${shown}${more}`;
    case 'files':
      return `both change ${shown}${more}`;
    case 'references':
      return `both refer to ${shown}${more}`;
    case 'imports':
      return `the later change imports what the earlier one made: ${shown}${more}`;
    case 'tests':
      return `tests of the later change exercise or extend what the earlier one has: ${shown}${more}`;
    case 'wording':
      return `both speak of ${shown}${more}`;
  }
}
