import { allOf, not, scored } from './certainty.js';
import type { Metric, Observation } from './metric.js';
import type { Run } from './run.js';

/** In-chain regression: each stage's new behaviour worked when the stage ended, but the feature does not at the end. */
export const inChainRegression: Metric = {
  id: 'in-chain-regression',
  short: 'In-chain',
  label: 'In-chain regression rate',
  definition:
    'Of the runs in which every stage passed F2P when it ended, the share that fails the chain-level F2P suite.',
  unit: 'run',
  better: 'lower',
  observe: (run) => given(everyStagePassedF2p(run), not(run.chain?.f2p ?? null)),
};

/** Pure regression: the feature works at the end, but something that worked before it does not. */
export const pureRegression: Metric = {
  id: 'pure-regression',
  short: 'Pure',
  label: 'Pure regression rate',
  definition: 'Of the runs that pass the chain-level F2P suite, the share that fails the chain-level P2P suite.',
  unit: 'run',
  better: 'lower',
  observe: (run) => given(run.chain?.f2p ?? null, not(run.chain?.p2p ?? null)),
};

function everyStagePassedF2p(run: Run): boolean | null {
  return allOf(run.stages.map((result) => result?.f2p ?? null));
}

function given(condition: boolean | null, verdict: boolean | null): Observation[] {
  if (condition === false) return [];
  return [condition === null ? null : scored(verdict)];
}
