import { allOf, scored } from './certainty.js';
import type { Metric } from './metric.js';
import type { Run } from './run.js';
import { gatesBefore, verdictAt } from './verdict-view.js';

/** How a run went, as a whole. Exclusive; every run with known verdicts has one. */
export const RUN_CLASSES = {
  clean: { short: 'Clean', definition: 'Every stage gate and the chain gate passed.' },
  'gate-fails': { short: 'Gate fails', definition: 'Every stage gate passed, the chain gate did not.' },
  recovered: { short: 'Recovered', definition: 'A stage gate failed, the chain gate passed all the same.' },
  'broke-m0': { short: 'Broke m0', definition: 'First failed at m0 and never recovered.' },
  'broke-m1': { short: 'Broke m1', definition: 'First failed at m1 and never recovered.' },
  'broke-later': { short: 'Broke m2+', definition: 'First failed at m2 or later and never recovered.' },
} as const;

export type RunClass = keyof typeof RUN_CLASSES;

/** The class of a finished run; null where a verdict that decides it is unknown. */
export function classifyRun(run: Run): RunClass | null {
  const chain = run.chain?.passed ?? null;
  const stages = allOf(gatesBefore(run, run.length));
  if (chain === null || stages === null) return null;
  if (stages) return chain ? 'clean' : 'gate-fails';
  if (chain) return 'recovered';
  const first = run.stages.findIndex((_, stage) => verdictAt(run, stage).passed !== true);
  if (verdictAt(run, first).passed === null) return null;
  return first === 0 ? 'broke-m0' : first === 1 ? 'broke-m1' : 'broke-later';
}

/** The share of runs that have one class. */
export function runClassShare(name: RunClass): Metric {
  const { short, definition } = RUN_CLASSES[name];
  return {
    id: `class-${name}`,
    short,
    label: short,
    definition,
    unit: 'run',
    better: null,
    observe: (run) => {
      const found = classifyRun(run);
      return [found === null ? null : scored(found === name)];
    },
  };
}
