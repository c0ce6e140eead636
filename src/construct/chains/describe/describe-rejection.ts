import type { Rejection } from '#documents/chains.js';
import type { PastGroup } from '../past.js';
import { chainId } from './chain-id.js';

export interface Rejected {
  /** Nodes, stage by stage. */
  stages: readonly (readonly number[])[];
  step: Rejection['step'];
  reason: string;
  /** Stages of the chain that was kept instead. */
  instead?: readonly (readonly number[])[];
}

/** A candidate that did not become a chain, as a line of rejections.jsonl. */
export function describeRejection(rejected: Rejected, nodes: readonly PastGroup[]): Rejection {
  const stages = commitsOf(rejected.stages, nodes);
  return {
    candidate: chainId(stages),
    kind: 'chain',
    title: nodes[rejected.stages[0]?.[0] ?? -1]?.title ?? '',
    step: rejected.step,
    reason: rejected.reason,
    stages,
    instead: rejected.instead === undefined ? null : chainId(commitsOf(rejected.instead, nodes)),
  };
}

function commitsOf(stages: readonly (readonly number[])[], nodes: readonly PastGroup[]): string[][] {
  return stages.map((stage) => stage.flatMap((node) => nodes[node]?.commits ?? []));
}
