import type { Chain } from '#documents/chains.js';
import type { PastGroup } from '../past.js';
import { hasTests } from '../stage-worth.js';
import type { RemovalCost } from './removal-cost.js';

/** At so many changes by others to the chain's definitions, removal is half as likely to succeed. */
const HALF_OVERLAPS = 12;
/** The same for days between first and last stage. */
const HALF_SPAN_DAYS = 730;
const DAY_MS = 86_400_000;

interface Measured {
  stages: readonly (readonly PastGroup[])[];
  /** Of each stage: how much it is about what the others have in common. */
  affinities: readonly number[];
  worths: readonly number[];
}

/** The three sides of a chain's rank, each 0 to 1 with its reason, and their product. */
export function rankChain(measured: Measured, cost: RemovalCost): Chain['rank'] {
  const relation = relationOf(measured);
  const testability = testabilityOf(measured.stages);
  const removability = removabilityOf(measured.stages, cost);
  const total = relation.score * testability.score * removability.score;
  return { relation, testability, removability, total: round(total) };
}

function relationOf({ affinities, worths, stages }: Measured): Chain['rank']['relation'] {
  const mean = average(affinities);
  const weakest = Math.min(...affinities);
  const worth = average(worths);
  const long = 1 - 0.5 ** (stages.length - 0.5);
  const score = (0.5 * mean + 0.5 * weakest) * Math.sqrt(worth) * long;
  return {
    score: round(score),
    why: `stages are ${percent(mean)} about what the others have in common, the weakest ${percent(weakest)}; ${percent(worth)} likely extensions; ${stages.length} stages`,
  };
}

function testabilityOf(stages: Measured['stages']): Chain['rank']['testability'] {
  const scores = stages.map((stage) => {
    if (stage.some(({ tests }) => tests.some(({ change, name }) => change === 'added' && name !== null))) return 1;
    if (stage.some(({ tests }) => tests.some(({ name }) => name !== null))) return 0.7;
    return stage.some(hasTests) ? 0.5 : 0.1;
  });
  const added = scores.filter((score) => score === 1).length;
  return { score: round(average(scores)), why: `${added} of ${stages.length} stages add tests of their own` };
}

function removabilityOf(stages: Measured['stages'], cost: RemovalCost): Chain['rank']['removability'] {
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
