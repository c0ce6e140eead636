import { chainGatePass } from './chain-gate-pass.js';
import { chainP2pFailure } from './chain-p2p-failure.js';
import { continuation } from './continuation.js';
import { firstStagePass } from './first-stage-pass.js';
import { gateByLength, LENGTH_BINS } from './gate-by-length.js';
import { lastStageMisleads, lastStagePass } from './last-stage-gate.js';
import { lastingFailure } from './lasting-failure.js';
import type { MetricTable } from './metric.js';
import { nextStageF2p } from './next-stage-f2p.js';
import { prefixDepth } from './prefix-depth.js';
import { recovery } from './recovery.js';
import { inChainRegression, pureRegression } from './regressions.js';
import type { RunSet } from './run.js';
import { RUN_CLASSES, type RunClass, runClassShare } from './run-class.js';
import { stageF2p } from './stage-f2p.js';
import { passAtPosition } from './stage-position.js';
import { survivalAt } from './survival.js';
import { VERIFICATION_TABLES } from './verification-tables.js';

const GATES = 'f2p and p2p of stage lines';
const CHAIN = 'f2p and p2p of chain lines';

/** Every table of shares that a set of runs gets, in reading order. The first is the main table. */
export function metricTables(set: RunSet): MetricTable[] {
  const longest = Math.max(0, ...set.tasks.map((task) => task.length));
  return [
    {
      id: 'main',
      title: 'Performance',
      note: null,
      needs: `${GATES}; ${CHAIN}`,
      metrics: [
        firstStagePass('last'),
        chainGatePass,
        continuation('last'),
        stageF2p('last'),
        prefixDepth,
        chainP2pFailure,
      ],
    },
    ...(set.runs.some((run) => run.stages.some((stage) => (stage?.rounds ?? 0) > 0)) ? [firstVerdicts] : []),
    {
      id: 'survival',
      title: 'Survival along the chain',
      note: 'Counted over the tasks that are long enough.',
      needs: GATES,
      metrics: Array.from({ length: longest }, (_, stage) => survivalAt(stage)),
    },
    {
      id: 'gate-by-length',
      title: 'Chain gate by task length',
      note: null,
      needs: CHAIN,
      metrics: LENGTH_BINS.filter(({ from, to }) =>
        set.tasks.some(({ length }) => length >= from && length <= (to ?? length)),
      ).map(gateByLength),
    },
    {
      id: 'run-classes',
      title: 'Where runs break',
      note: 'The classes exclude each other and add up to all runs.',
      needs: `${GATES}; ${CHAIN}`,
      metrics: (Object.keys(RUN_CLASSES) as RunClass[]).map(runClassShare),
    },
    {
      id: 'next-stage',
      title: 'Next stage by what came before',
      note: null,
      needs: GATES,
      metrics: [nextStageF2p('passed'), nextStageF2p('failed')],
    },
    {
      id: 'position',
      title: 'Stage gate by position, all earlier stages passed',
      note: null,
      needs: GATES,
      metrics: [passAtPosition(1, false), passAtPosition(2, false), passAtPosition(3, true)],
    },
    {
      id: 'whole-feature',
      title: 'Last stage, lasting failure, recovery, regression',
      note: null,
      needs: `${GATES}; ${CHAIN}`,
      metrics: [lastStagePass, lastStageMisleads, lastingFailure, recovery, inChainRegression, pureRegression],
    },
    ...VERIFICATION_TABLES,
  ];
}

const firstVerdicts: MetricTable = {
  id: 'first-verdicts',
  title: 'First verdicts, before any repair round',
  note: 'Cont reads the first verdict of stages whose earlier stages passed by their last verdict.',
  needs: GATES,
  metrics: [firstStagePass('first'), continuation('first'), stageF2p('first')],
};
