import type { Chain, Chains } from '#documents/chains.js';
import { openRepository, type Repository } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { chainCheckpoint } from './chain-checkpoint.js';
import type { ConstructRequest } from './construct-request.js';

/** Consecutive stages of a chain, both included. */
export interface StageRange {
  from: number;
  to: number;
}

/** What a chain says of the task to be built. */
export type ChainPart = Required<Pick<ConstructRequest, 'stages' | 'title' | 'chain'>>;

/**
 * Stages, title and evidence of a chain, or of consecutive stages of it, for `constructTask`.
 * @throws Fault `chain-range` (usage) where the chain has no such stages
 */
export function chainPart(
  mined: Pick<Chains, 'head' | 'toolVersion'>,
  chain: Chain,
  range: StageRange | null,
): ChainPart {
  const last = chain.stages.length - 1;
  const { from, to } = range ?? { from: 0, to: last };
  if (from > to || to > last) {
    throw new Fault({
      code: 'chain-range',
      kind: 'usage',
      message: `chain ${chain.id} has the stages 0-${last}, not ${from}-${to}`,
      hint: `Give consecutive stages such as --stages 0-${last}.`,
    });
  }
  const stages = chain.stages.slice(from, to + 1);
  const edges = chain.edges
    .filter((edge) => edge.from >= from && edge.to <= to)
    .map((edge) => ({ ...edge, from: edge.from - from, to: edge.to - from }));
  return {
    stages: stages.map(({ commits }) => commits),
    title: chain.feature,
    chain: {
      id: chain.id,
      feature: chain.feature,
      head: mined.head,
      toolVersion: mined.toolVersion,
      window: { from, to },
      foundBy: chain.foundBy,
      reviewer: chain.review.reviewer,
      why: stages.map(({ why }) => why),
      edges,
    },
  };
}

/**
 * Makes sure that the repository has the chain's commits before anything is tried with them.
 * @returns from where they can be removed, where that is not the last stage's last commit
 * @throws Fault `chain-of-another-repository` (input)
 */
export async function locateChain(
  repositoryPath: string,
  part: ChainPart,
): Promise<Pick<ConstructRequest, 'checkpoint'>> {
  const repository = await openRepository(repositoryPath);
  try {
    const asked = part.stages.flat();
    const found = await Promise.all(asked.map((commit) => repository.read(`${commit}^{commit}`)));
    const missing = asked.filter((_commit, at) => found[at]?.type !== 'commit');
    const { id, head } = part.chain;
    if (missing.length === 0) return await checkpointOf(repository, part);
    throw new Fault({
      code: 'chain-of-another-repository',
      kind: 'input',
      message: `${repository.place.gitDir}: ${missing.length} of the ${asked.length} commits of chain ${id} are not in it, first ${missing[0]}`,
      hint: `The chain was mined at head ${head.slice(0, 12)}: fetch that history (git fetch, git fetch --unshallow), or name the repository it was mined from.`,
      context: { missing: missing.slice(0, 20) },
    });
  } finally {
    await repository.close();
  }
}

/** @returns nothing where the last stage's last commit will do */
export async function checkpointOf(
  repository: Repository,
  { stages, chain }: Pick<ChainPart, 'stages' | 'chain'>,
): Promise<Pick<ConstructRequest, 'checkpoint'>> {
  const isThere = (await repository.read(`${chain.head}^{commit}`)) !== null;
  const checkpoint = await chainCheckpoint(repository, stages, isThere ? chain.head : 'HEAD');
  return checkpoint === undefined ? {} : { checkpoint };
}
