import type { EvidenceGraph } from './chains.js';

/** The evidence graph for other programs: GraphML (yEd, Gephi, networkx) or JSON with `nodes` and `edges`. */
export function exportGraph(graph: EvidenceGraph, format: 'graphml' | 'json'): string {
  return format === 'json' ? asJson(graph) : asGraphml(graph);
}

function asJson({ nodes, edges }: EvidenceGraph): string {
  return `${JSON.stringify(
    {
      nodes: nodes.map(({ id, title, intent, at, commits }, position) => ({
        position,
        id,
        title,
        intent,
        at,
        commits,
      })),
      edges,
    },
    null,
    1,
  )}\n`;
}

const NODE_KEYS = ['title', 'intent', 'at', 'commits'] as const;

function asGraphml({ nodes, edges }: EvidenceGraph): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...NODE_KEYS.map((key) => `<key id="${key}" for="node" attr.name="${key}" attr.type="string"/>`),
    '<key id="type" for="edge" attr.name="type" attr.type="string"/>',
    '<key id="weight" for="edge" attr.name="weight" attr.type="double"/>',
    '<key id="explanation" for="edge" attr.name="explanation" attr.type="string"/>',
    '<graph edgedefault="directed">',
  ];
  for (const { id, title, intent, at, commits } of nodes) {
    const data = { title, intent, at: at ?? '', commits: commits.join(' ') };
    lines.push(`<node id="${xml(id)}">${NODE_KEYS.map((key) => datum(key, data[key])).join('')}</node>`);
  }
  for (const { id, from, to, type, weight, explanation } of edges) {
    const ends = `source="${xml(nodes[from]?.id ?? '')}" target="${xml(nodes[to]?.id ?? '')}"`;
    const data = [datum('type', type), datum('weight', String(weight)), datum('explanation', explanation)].join('');
    lines.push(`<edge id="${id}" ${ends}>${data}</edge>`);
  }
  lines.push('</graph>', '</graphml>', '');
  return lines.join('\n');
}

function datum(key: string, text: string): string {
  return `<data key="${key}">${xml(text)}</data>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for XML 1.0: what XML has no way to say (most control characters, half surrogates) is left out. */
function xml(text: string): string {
  return [...text]
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isControl = code < 0x20 && code !== 9 && code !== 10 && code !== 13;
      return !isControl && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
    })
    .map((character) => ENTITIES[character] ?? character)
    .join('');
}
