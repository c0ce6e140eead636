import type { BuiltGraph } from '../build-graph.js';
import type { QuestionEvidence, ReviewDecision, ReviewerRole, ReviewQuestion } from '../chains.js';
import { featureName } from '../describe/feature-title.js';
import type { Proposal } from '../search/run-searches.js';
import type { SearchSpace } from '../search/search-space.js';
import { type SettledChain, settleChain } from './settle-chain.js';
import { tellingNames } from './telling-names.js';

export interface ReviewRequest {
  built: BuiltGraph;
  space: Omit<SearchSpace, 'random'>;
  reviewer: ReviewerRole;
  minStages: number;
}

export interface Reviewed {
  proposal: Proposal;
  /** Nodes, stage by stage; empty where the review found no feature. */
  stages: number[][];
  feature: string;
  symbols: string[];
  decision: ReviewDecision;
}

/** Puts a proposal to the reviewer and reads the answer back as nodes. Answers about other groups are not heard. */
export async function reviewProposal(proposal: Proposal, request: ReviewRequest): Promise<Reviewed> {
  const { built, space, reviewer, minStages } = request;
  const settled = settleChain(space, proposal.stages);
  space.profile.set(settled.core);
  const symbols = tellingNames(space.profile, built);
  const question = questionOf(proposal, settled, symbols, request);
  const decision = await reviewer.review(question);
  const known = new Map([...proposal.stages, ...settled.neighbours].map((node) => [built.nodes[node]?.id ?? '', node]));
  const stages = decision.stages
    .map((stage) => stage.flatMap((id) => known.get(id) ?? []).sort((a, b) => a - b))
    .filter((stage) => stage.length > 0)
    .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
    .slice(0, space.maxStages);
  return {
    proposal,
    stages: stages.length < minStages ? [] : stages,
    feature: decision.feature ?? question.feature,
    symbols,
    decision,
  };
}

function questionOf(
  proposal: Proposal,
  settled: SettledChain,
  symbols: string[],
  { built, space, minStages }: ReviewRequest,
): ReviewQuestion {
  const group = (node: number) => built.nodes[node] as (typeof built.nodes)[number];
  const all = [...proposal.stages, ...settled.neighbours];
  return {
    feature: featureName(
      symbols,
      proposal.stages.map((node) => group(node).title),
    ),
    symbols,
    stages: proposal.stages.map((node) => [group(node)]),
    evidence: all.flatMap((node) => evidenceOf(node, proposal.stages, built)),
    neighbours: settled.neighbours.map(group),
    affinity: new Map(all.map((node) => [group(node).id, settled.affinity.get(node) ?? 0])),
    worth: new Map(all.map((node) => [group(node).id, space.worth[node] ?? 0])),
    minStages,
    maxStages: space.maxStages,
  };
}

/** Evidence between a node and other stages; between two stages it is told once. */
function evidenceOf(
  node: number,
  stages: readonly number[],
  { nodes, evidenceBetween }: BuiltGraph,
): QuestionEvidence[] {
  const inChain = stages.includes(node);
  return stages
    .filter((stage) => stage !== node && (!inChain || stage < node))
    .flatMap((stage) => evidenceBetween(Math.min(stage, node), Math.max(stage, node)))
    .map((edge) => ({ ...edge, from: nodes[edge.from]?.id ?? '', to: nodes[edge.to]?.id ?? '' }));
}
