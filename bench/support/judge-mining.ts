import type { RankedChain } from '#construct/chains/index.js';
import type { ChangeGroup, History } from '#construct/history/index.js';
import type { Truth, TruthChain } from './truth.js';

/** How one reported chain stands to one true chain. */
interface Match {
  rank: number;
  id: string;
  covered: number;
  /** Stages of the reported chain that belong to the true one, of those that are not neutral. */
  belonging: number;
  judged: number;
}

export interface ChainVerdict {
  truth: TruthChain;
  /** The best report that counts; null where there is none among the looked at. */
  found: Match | null;
  why: string;
}

/** Chains that are looked at, by relation alone. */
export const LOOKED_AT = 30;
const COVERED_SHARE = 2 / 3;
const BELONGING_SHARE = 0.5;

/** Judges reported chains, best first, against the truth: what is found, and why what is missed is missed. */
export function judgeChains(
  truth: Truth,
  history: History,
  reported: readonly RankedChain[],
  isNode: IsNode,
): ChainVerdict[] {
  const groupOf = new Map(history.groups.flatMap((group) => group.commits.map((commit) => [commit, group] as const)));
  return truth.chains.map((chain) => {
    const matches = reported
      .map((report, at) => matchOf(chain, report, at + 1, groupOf))
      .filter(({ covered }) => covered > 0);
    const counts = (match: Match): boolean =>
      match.covered >= COVERED_SHARE * chain.stages.length && match.belonging >= BELONGING_SHARE * match.judged;
    const good = matches.filter(counts).sort((a, b) => a.rank - b.rank)[0];
    if (good !== undefined && good.rank <= LOOKED_AT) return { truth: chain, found: good, why: '' };
    return { truth: chain, found: null, why: whyMissed(chain, matches, good, groupOf, isNode) };
  });
}

/** Null where the group can be a stage, otherwise why not. */
export type IsNode = (group: ChangeGroup) => string | null;

function matchOf(
  chain: TruthChain,
  report: RankedChain,
  rank: number,
  groupOf: ReadonlyMap<string, ChangeGroup>,
): Match {
  const trueStages = chain.stages.map(({ commits }) => groupsOf(commits, groupOf));
  const own = new Set(chain.stages.flatMap(({ commits }) => commits));
  const neutral = new Set(chain.borderline.map(({ commit }) => commit));
  const free = new Set(trueStages.keys());
  let belonging = 0;
  let judged = 0;
  for (const stage of report.stages) {
    const belongs = stage.commits.some((commit) => own.has(commit));
    if (belongs) belonging += 1;
    if (belongs || !stage.commits.some((commit) => neutral.has(commit))) judged += 1;
    const held = new Set(stage.groups);
    for (const at of free) if (isWithinOneGroup(held, trueStages[at] ?? [])) free.delete(at);
  }
  return { rank, id: report.id, covered: trueStages.length - free.size, belonging, judged };
}

function groupsOf(commits: readonly string[], groupOf: ReadonlyMap<string, ChangeGroup>): ChangeGroup[] {
  return [...new Set(commits.flatMap((commit) => groupOf.get(commit) ?? []))];
}

/**
 * A reported stage covers a true one where they share a group and differ by one group at most on either side. Groups
 * without source are not missed: what history split off as tests alone says nothing about the boundary.
 */
function isWithinOneGroup(reported: ReadonlySet<string>, truth: readonly ChangeGroup[]): boolean {
  const both = truth.filter(({ id }) => reported.has(id));
  const missed = truth.filter(({ id, files }) => !reported.has(id) && files.some(({ role }) => role === 'source'));
  return both.length > 0 && reported.size - both.length <= 1 && missed.length <= 1;
}

function whyMissed(
  chain: TruthChain,
  matches: readonly Match[],
  good: Match | undefined,
  groupOf: ReadonlyMap<string, ChangeGroup>,
  isNode: IsNode,
): string {
  if (good !== undefined) return `found but ranked ${good.rank}`;
  const absent = chain.stages.flatMap(({ commits }, at) => {
    const groups = [...new Set(commits.flatMap((commit) => groupOf.get(commit) ?? []))];
    const reasons = groups.map(isNode);
    return reasons.some((reason) => reason === null) ? [] : [`stage ${at}: ${reasons[0] ?? 'no group'}`];
  });
  const inGraph = chain.stages.length - absent.length;
  const notes = absent.length > 0 ? ` (not in graph: ${absent.join('; ')})` : '';
  if (inGraph < COVERED_SHARE * chain.stages.length) return `not in graph${notes}`;
  const best = [...matches].sort((a, b) => b.covered - a.covered || b.belonging / b.judged - a.belonging / a.judged)[0];
  if (best === undefined) return `not connected${notes}`;
  const kind = best.covered >= COVERED_SHARE * chain.stages.length ? 'diluted' : 'not connected';
  return `${kind}: the best (${best.id}, ranked ${best.rank}) covers ${best.covered} of ${chain.stages.length} stages, ${best.belonging} of its ${best.judged} belong${notes}`;
}

/** Pairs of different features that a reported chain holds both of. */
export function joinedNegatives(truth: Truth, reported: readonly RankedChain[]): { why: string; chain: string }[] {
  return truth.negatives.flatMap(({ a, b, why }) => {
    const chain = reported.find(({ stages }) => {
      const commits = new Set(stages.flatMap((stage) => stage.commits));
      return commits.has(a) && commits.has(b);
    });
    return chain === undefined ? [] : [{ why, chain: chain.id }];
  });
}
