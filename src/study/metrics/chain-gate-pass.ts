import { scored } from './certainty.js';
import type { Metric } from './metric.js';

/** Gate: the whole feature, judged on the final workspace. */
export const chainGatePass: Metric = {
  id: 'gate',
  short: 'Gate',
  label: 'Chain gate pass rate',
  definition: 'Share of runs whose final workspace passes the chain-level F2P and P2P suites.',
  unit: 'run',
  better: 'higher',
  observe: (run) => [scored(run.chain?.passed ?? null)],
};
