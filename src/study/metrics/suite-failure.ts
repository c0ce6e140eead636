import type { Metric, Observation } from './metric.js';
import type { Run } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';

/** How often F2P fails because the hidden suite does not even compile on the agent's code. */
export const compileFailure: Metric = {
  id: 'compile-failure',
  short: 'Does not compile',
  label: 'F2P failures that do not compile',
  definition: 'Of the stages that fail F2P, the share whose hidden suite does not compile on the code.',
  unit: 'stage',
  better: 'lower',
  observe: (run) =>
    overF2pFailures(run, (stage) => {
      const failure = run.stages[stage]?.line.failure ?? null;
      return failure === null ? [null] : [Number(failure === 'compile')];
    }),
};

/** How often such a failure is a mismatch with the interface that the contract names. */
export const interfaceMismatch: Metric = {
  id: 'interface-mismatch',
  short: 'Interface mismatch',
  label: 'Compile failures by interface mismatch',
  definition:
    'Of the stages whose hidden suite does not compile, the share with a missing name, a wrong signature or a duplicate declaration.',
  unit: 'stage',
  better: null,
  observe: (run) =>
    overF2pFailures(run, (stage) => {
      const line = run.stages[stage]?.line;
      if (line?.failure !== 'compile') return [];
      return [line.interfaceMismatch === null ? null : Number(line.interfaceMismatch)];
    }),
};

/** Where the names that code lacks were written. */
export function missingNamesIn(where: 'current-spec' | 'earlier-spec'): Metric {
  const words = where === 'current-spec' ? 'the current specification' : 'an earlier specification';
  return {
    id: `missing-in-${where}`,
    short: where === 'current-spec' ? 'Named in current spec' : 'Named in earlier spec',
    label: `Missing names written in ${words}`,
    definition: `Of the names that code lacks where the suite does not compile, the share written in ${words}.`,
    unit: 'stage',
    better: null,
    observe: (run) =>
      overF2pFailures(run, (stage) => {
        const line = run.stages[stage]?.line;
        if (line?.failure !== 'compile') return [];
        if (line.missingNames === null) return [null];
        return line.missingNames.map((name) => (name.in === null ? null : Number(name.in === where)));
      }),
  };
}

function overF2pFailures(run: Run, observe: (stage: number) => Observation[]): Observation[] {
  return stagesFrom(run, 0).flatMap((stage) => {
    const { f2p } = verdictAt(run, stage);
    if (f2p === true) return [];
    return f2p === null ? [null] : observe(stage);
  });
}
