import type { EvidenceType, Rejection } from '#documents/chains.js';
import type { EvidenceEdge, EvidenceGraph } from './chains.js';
import { connectGroups, type Links } from './graph/connect-groups.js';
import { explainLink, type LabelOf } from './graph/explain-link.js';
import { selectNodes } from './graph/select-nodes.js';
import { indexTraces, type TraceIndex } from './graph/trace-index.js';
import { traceLabels } from './graph/trace-labels.js';
import type { Past, PastGroup } from './past.js';
import { hasTests, stageWorth } from './stage-worth.js';

export interface BuiltGraph {
  nodes: PastGroup[];
  index: TraceIndex;
  /** By node: how likely it is a stage, 0 where it must not be one. */
  worth: number[];
  /** By node: how likely it is a stage, whether it has tests or not. */
  worthUntested: number[];
  links: Links;
  graph: EvidenceGraph;
  /** Explained evidence between two nodes; empty where they are not linked. */
  evidenceBetween(a: number, b: number): EvidenceEdge[];
  label: LabelOf;
  rejections: Rejection[];
}

/** The evidence graph of a history. Explanations are made when somebody asks for them: most links nobody looks at. */
export function buildGraph(past: Past, allowed: ReadonlySet<EvidenceType>, allowUntested: boolean): BuiltGraph {
  const { nodes, rejections } = selectNodes(past.groups);
  const worthUntested = nodes.map(stageWorth);
  const worth = nodes.map((group, node) => (allowUntested || hasTests(group) ? (worthUntested[node] ?? 0) : 0));
  const index = indexTraces(nodes, past, allowed, worth);
  const links = connectGroups(index, allowed);
  const label = traceLabels(nodes, past);
  let edges: EvidenceEdge[] | null = null;
  return {
    nodes,
    index,
    worth,
    worthUntested,
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
