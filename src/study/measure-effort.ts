import type { Effort, Spread } from '#documents/findings.js';
import { quantiles } from './inference/index.js';
import type { Run } from './metrics/index.js';

/** Time, tokens and money of finished runs, and the harness's own share. Unknown amounts make totals unknown. */
export function measureEffort(agent: string | null, runs: readonly Run[]): Effort {
  const stages = runs
    .filter((run) => run.unfinished === null)
    .flatMap((run) => run.stages.filter((stage) => stage !== null));
  const lines = stages.map((stage) => stage.line);
  const passed = stages.filter((stage) => stage.passed === true).length;
  const costUsd = sumOfKnown(lines.map((line) => line.usage?.costUsd ?? null));
  const seconds = sumOfKnown(lines.map((line) => line.seconds));
  return {
    agent,
    overheadSeconds: spreadOf(lines.map((line) => line.overheadSeconds)),
    stageSeconds: spreadOf(lines.map((line) => line.seconds)),
    costUsd,
    inputTokens: sumOfKnown(lines.map((line) => line.usage?.input ?? null)),
    outputTokens: sumOfKnown(lines.map((line) => line.usage?.output ?? null)),
    costUsdPerPassedStage: perPassed(costUsd, passed),
    secondsPerPassedStage: perPassed(seconds, passed),
    stages: stages.length,
    stagesWithCost: lines.filter((line) => (line.usage?.costUsd ?? null) !== null).length,
  };
}

/** A total over stages of which some are unknown would be too low, so it is unknown. */
function sumOfKnown(amounts: readonly (number | null)[]): number | null {
  if (amounts.length === 0) return null;
  return amounts.reduce<number | null>((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0);
}

function perPassed(amount: number | null, passed: number): number | null {
  return amount === null || passed === 0 ? null : amount / passed;
}

/** Count, 5th percentile, median, mean and 95th percentile of what is known; null where nothing is. */
export function spreadOf(amounts: readonly (number | null)[]): Spread | null {
  const known = amounts.filter((amount) => amount !== null);
  const [p5, p50, p95] = quantiles(known, [0.05, 0.5, 0.95]);
  if (p5 == null || p50 == null || p95 == null) return null;
  const mean = known.reduce((sum, amount) => sum + amount, 0) / known.length;
  return { n: known.length, p5, p50, mean, p95 };
}
