import { not, scored } from './certainty.js';
import type { Metric } from './metric.js';

/** P2P-down: existing behaviour broken at the end, whether or not the feature works. */
export const chainP2pFailure: Metric = {
  id: 'p2p-down',
  short: 'P2P↓',
  label: 'Chain P2P failure',
  definition: 'Share of runs whose chain-level P2P suite fails on the final workspace.',
  unit: 'run',
  better: 'lower',
  observe: (run) => [scored(not(run.chain?.p2p ?? null))],
};
