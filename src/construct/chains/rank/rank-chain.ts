import type { Chain } from '#documents/chains.js';
import type { PastGroup } from '../past.js';
import { hasTests } from '../stage-worth.js';
import type { ChainTraits } from './chain-traits.js';
import { relationScore } from './relation-score.js';
import type { RemovalCost } from './removal-cost.js';

/** At so many changes by others to the chain's definitions, removal is half as likely to succeed. */
const HALF_OVERLAPS = 12;
/** The same for days between first and last stage. */
const HALF_SPAN_DAYS = 730;
const DAY_MS = 86_400_000;

type Stages = readonly (readonly PastGroup[])[];

/**
 * What the sides weigh in the total, as exponents: what is no feature is worth nothing however easily it comes out again,
 * while a chain that is hard to remove whole may still have a window that is not.
 */
const WEIGHTS = { testability: 1 / 2, removability: 1 / 3 };

/** A rank but for what depends on the rest of the list. */
export type ChainScores = Pick<Chain['rank'], 'relation' | 'testability' | 'removability' | 'total'>;

/** The three sides of a chain's rank, each 0 to 1 with its reason, and the total of them. */
export function rankChain(traits: ChainTraits, stages: Stages, cost: RemovalCost): ChainScores {
  const relation = relationOf(traits);
  const testability = testabilityOf(stages);
  const removability = removabilityOf(stages, cost);
  return {
    relation,
    testability,
    removability,
    total: round(
      relation.score * testability.score ** WEIGHTS.testability * removability.score ** WEIGHTS.removability,
    ),
  };
}

function relationOf(traits: ChainTraits): Chain['rank']['relation'] {
  const { affinities, worths, agreement, named, tested, worked } = traits;
  const parts = [
    `stages are ${percent(average(affinities))} about what the others have in common (the weakest ${percent(Math.min(...affinities))})`,
    `${percent(average(worths))} likely to be extensions`,
    `${agreement.toFixed(1)} names, definitions and files agree on them`,
    `named in ${percent(named)} of titles, worked on in ${percent(worked)}, tested in ${percent(tested)}`,
  ];
  return { score: round(relationScore(traits)), why: parts.join('; ') };
}

function testabilityOf(stages: Stages): Chain['rank']['testability'] {
  const scores = stages.map((stage) => {
    if (stage.some(({ tests }) => tests.some(({ change, name }) => change === 'added' && name !== null))) return 1;
    if (stage.some(({ tests }) => tests.some(({ name }) => name !== null))) return 0.7;
    return stage.some(hasTests) ? 0.5 : 0.1;
  });
  const added = scores.filter((score) => score === 1).length;
  return { score: round(average(scores)), why: `${added} of ${stages.length} stages add tests of their own` };
}

function removabilityOf(stages: Stages, cost: RemovalCost): Chain['rank']['removability'] {
  const overlaps = cost.overlaps(stages);
  const dates = stages.flat().flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  const days = dates.length === 0 ? 0 : (Math.max(...dates) - Math.min(...dates)) / DAY_MS;
  const score = (HALF_OVERLAPS / (HALF_OVERLAPS + overlaps)) * (HALF_SPAN_DAYS / (HALF_SPAN_DAYS + days));
  return {
    score: round(score),
    why: `${overlaps} changes by others to the same definitions in between, over ${Math.round(days)} days`,
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
