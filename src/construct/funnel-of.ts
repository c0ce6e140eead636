import type { Chain, Chains, Rejection } from '#documents/chains.js';
import type { Attempt, Funnel } from '#documents/funnel.js';
import type { ChainsOutcome } from './construct-chains.js';

/** How far an attempt came. */
const REACHED: Record<Attempt['failed'], number> = { states: 0, build: 1, check: 2, none: 3 };
const OUTCOMES = ['not-rebuilt', 'not-built', 'refused', 'admitted'] as const;

/** What became of a history on the way to admitted tasks. */
export function funnelOf(
  { repository, head, toolVersion, counts, chains }: Chains,
  rejections: readonly Rejection[],
  { ended, attempts, holding }: ChainsOutcome,
): Funnel {
  const rows = chains.map((chain, at) => chainRow(chain, attempts[at] ?? [], holding[at] ?? false));
  const reached = (least: number): number =>
    rows.filter(({ attempts: made }) => made.some(({ failed }) => REACHED[failed] >= least)).length;
  const isRebuilt = (at: number): boolean =>
    holding[at] === true || (attempts[at] ?? []).some(({ failed }) => REACHED[failed] >= 1);
  const rebuilt = chains.filter((_chain, at) => isRebuilt(at)).length;
  const { commits, groups, nodes, candidates } = counts;
  return {
    repository,
    head,
    toolVersion,
    ended,
    counts: {
      ...{ commits, groups, nodes, candidates },
      chains: chains.length,
      tried: rows.filter(({ outcome }) => outcome !== 'open').length,
      rebuilt,
      built: reached(2),
      admitted: reached(3),
    },
    reasons: [...countMining(rejections), ...countAttempts(attempts.flat())],
    chains: rows,
  };
}

function chainRow({ id, feature, stages }: Chain, attempts: Attempt[], holds: boolean): Funnel['chains'][number] {
  const best = [...attempts].sort((a, b) => REACHED[b.failed] - REACHED[a.failed])[0];
  const reached = best === undefined ? 0 : REACHED[best.failed];
  const outcome = reached === 0 && holds ? 'rebuilt' : best === undefined ? 'open' : OUTCOMES[reached];
  return {
    id,
    feature,
    stages: stages.length,
    outcome: outcome ?? 'open',
    window: best === undefined ? null : { from: best.from, to: best.to },
    task: best?.task ?? null,
    attempts,
  };
}

type Reason = Funnel['reasons'][number];
type Case = Pick<Reason, 'step' | 'reason' | 'example'>;

function countMining(rejections: readonly Rejection[]): Reason[] {
  return tally(rejections.map(({ step, reason }) => ({ step, reason: generalised(reason), example: reason })));
}

function countAttempts(attempts: readonly Attempt[]): Reason[] {
  return tally(
    attempts.flatMap(({ failed, code, why }) =>
      failed === 'none' ? [] : [{ step: failed, reason: reasonOf(code ?? failed, why), example: firstLine(why) }],
    ),
  );
}

/** Which assertion did not hold says more than that one did not. */
function reasonOf(code: string, why: string): string {
  const assertion = code === 'state-wrong' ? /\((\S+)\):/.exec(why)?.[1] : undefined;
  return assertion === undefined ? code : `${code}: ${assertion}`;
}

/** Figures, ids and quotations differ from case to case; the reason is the same. */
function generalised(reason: string): string {
  return reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\b[gc]-[0-9a-f]{12}\b/g, '…')
    .replace(/\b[0-9a-f]{7,64}\b/g, '…')
    .replace(/\d+(?:\.\d+)?/g, 'N');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function tally(found: readonly Case[]): Reason[] {
  const counts = new Map<string, Reason>();
  for (const { step, reason, example } of found) {
    const key = `${step}\0${reason}`;
    const held = counts.get(key);
    if (held === undefined) counts.set(key, { step, reason, count: 1, example });
    else held.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
