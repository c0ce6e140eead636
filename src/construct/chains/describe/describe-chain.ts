import type { Chain, ChainDecision, ChainEdge } from '#documents/chains.js';
import type { BuiltGraph } from '../build-graph.js';
import type { ReviewerRole } from '../chains.js';
import type { PastGroup } from '../past.js';
import type { Reviewed } from '../review/review-proposal.js';
import { chainId } from './chain-id.js';
import { chainLanguage } from './chain-language.js';
import { describeStage } from './describe-stage.js';
import { featureTitle } from './feature-title.js';

/** A reviewed chain as the document has it. */
export function describeChain(
  { proposal, stages, feature, symbols, decision }: Reviewed,
  rank: Chain['rank'],
  { nodes, evidenceBetween }: BuiltGraph,
  { reviewer }: ReviewerRole,
): Chain {
  const groups = stages.map((stage) => stage.flatMap((node) => nodes[node] ?? []));
  const stageOf = new Map(stages.flatMap((stage, at) => stage.map((node) => [nodes[node]?.id ?? '', at] as const)));
  const edges = edgesOf(stages, evidenceBetween);
  const whyOf = new Map(decision.decisions.map(({ group, why }) => [group, why]));
  const byId = new Map(nodes.map((group) => [group.id, group]));
  const described = groups.map((stage) =>
    describeStage(
      stage,
      [...new Set(stage.map(({ id }) => whyOf.get(id) ?? ''))].filter((why) => why !== '').join('; '),
    ),
  );
  const decisions = decision.decisions.map(
    ({ action, group, why, cites }): ChainDecision => ({
      action,
      group,
      commits: byId.get(group)?.commits ?? [],
      title: byId.get(group)?.title ?? '',
      stage: stageOf.get(group) ?? null,
      why,
      cites,
    }),
  );
  decisions.push(...partDecisions(groups));
  return {
    id: chainId(described.map(({ commits }) => commits)),
    feature: decision.feature ?? featureTitle(feature, groups[0]?.[0]?.title ?? ''),
    language: chainLanguage(groups.flat()),
    symbols,
    rank,
    stages: described,
    edges,
    foundBy: [...proposal.foundBy].sort(),
    review: {
      reviewer,
      summary: decision.summary,
      decisions,
      costUsd: decision.costUsd,
      ...(decision.unreviewed === undefined ? {} : { unreviewed: decision.unreviewed }),
    },
  };
}

/** Of changes that were put together before the search: why the tests stand in the stage of the code. */
function partDecisions(stages: readonly (readonly PastGroup[])[]): ChainDecision[] {
  return stages.flatMap((groups, stage) =>
    groups.flatMap(({ parts = [] }) =>
      parts.slice(1).map(({ id, commits, title }) => ({
        action: 'move' as const,
        group: id,
        commits,
        title,
        stage,
        why: 'code and its tests landed one after the other: one stage',
        cites: [],
      })),
    ),
  );
}

function edgesOf(stages: readonly (readonly number[])[], between: BuiltGraph['evidenceBetween']): ChainEdge[] {
  return stages.flatMap((newer, to) =>
    stages
      .slice(0, to)
      .flatMap((older, from) =>
        older.flatMap((a) =>
          newer.flatMap((b) =>
            between(a, b).map(({ id, type, weight, explanation }) => ({ id, from, to, type, weight, explanation })),
          ),
        ),
      ),
  );
}
