import type { EvidenceType, Rejection } from '#documents/chains.js';
import type { EvidenceEdge, EvidenceGraph } from './chains.js';
import { connectGroups, type Links } from './graph/connect-groups.js';
import { explainLink, type LabelOf } from './graph/explain-link.js';
import { selectNodes } from './graph/select-nodes.js';
import { indexTraces, type TraceIndex } from './graph/trace-index.js';
import { traceLabels } from './graph/trace-labels.js';
import type { Past, PastGroup } from './past.js';

export interface BuiltGraph {
  nodes: PastGroup[];
  index: TraceIndex;
  links: Links;
  graph: EvidenceGraph;
  /** Explained evidence between two nodes; empty where they are not linked. */
  evidenceBetween(a: number, b: number): EvidenceEdge[];
  label: LabelOf;
  rejections: Rejection[];
}

/** The evidence graph of a history. Explanations are made when somebody asks for them: most links nobody looks at. */
export function buildGraph(past: Past, allowed: ReadonlySet<EvidenceType>): BuiltGraph {
  const { nodes, rejections } = selectNodes(past.groups);
  const index = indexTraces(nodes, past, allowed);
  const links = connectGroups(index, allowed);
  const label = traceLabels(nodes, past);
  let edges: EvidenceEdge[] | null = null;
  return {
    nodes,
    index,
    links,
    label,
    rejections,
    evidenceBetween: (a, b) => {
      const link = links.between(a, b);
      return link === null ? [] : explainLink(link, nodes, index, label);
    },
    graph: {
      nodes,
      get edges() {
        edges ??= links.all.flatMap((link) => explainLink(link, nodes, index, label));
        return edges;
      },
    },
  };
}
