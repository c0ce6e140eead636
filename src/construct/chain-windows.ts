import type { StageRange } from './chain-part.js';

/** A task has at least so many stages. */
const MIN_STAGES = 2;

/** Consecutive stages of a chain: the whole first, then shorter ones; among equals the latest, which later work touches least. */
export function* chainWindows(stages: number): Generator<StageRange> {
  for (let length = stages; length >= MIN_STAGES; length -= 1)
    for (let from = stages - length; from >= 0; from -= 1) yield { from, to: from + length - 1 };
}
