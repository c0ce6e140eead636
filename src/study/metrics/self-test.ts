import { scored } from './certainty.js';
import type { Metric } from './metric.js';
import type { Run } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';
import type { ConditionedStage } from './within-groups.js';

/** The result of the last test command that the agent ran itself. */
const COLORS = { green: 'passed', red: 'failed' } as const;

/** How often a stage ends on tests of the agent's own that pass. */
export const endsGreen: Metric = {
  id: 'ends-green',
  short: 'Ends green',
  label: 'Stages that end green',
  definition: 'Share of stages whose last own test command passed.',
  unit: 'stage',
  better: null,
  observe: (run) =>
    stagesFrom(run, 0).map((stage) => {
      const result = selfTestAt(run, stage);
      return result === null ? null : Number(result === COLORS.green);
    }),
};

/** What a green or a red ending says about the hidden suite; `after` keeps later stages by the gate before them. */
export function f2pGivenSelfTest(color: keyof typeof COLORS, after: 'passed' | 'failed' | null = null): Metric {
  const where = after === null ? '' : `, after a ${after} stage`;
  return {
    id: `f2p-${color}${after === null ? '' : `-after-${after}`}`,
    short: after === null ? `F2P | ${color}` : `${color}, after ${after}`,
    label: `F2P where the stage ends ${color}${where}`,
    definition: `F2P rate over the stages${after === null ? '' : ` right after a ${after} one`} whose last own test command ${COLORS[color]}.`,
    unit: 'stage',
    better: color === 'green' ? 'higher' : null,
    observe: (run) =>
      stagesFrom(run, after === null ? 0 : 1).flatMap((stage) => {
        const result = selfTestAt(run, stage);
        if (result !== null && result !== COLORS[color]) return [];
        const before = after === null ? null : verdictAt(run, stage - 1).passed;
        if (after !== null && before !== null && before !== (after === 'passed')) return [];
        const known = result !== null && (after === null || before !== null);
        return [known ? scored(verdictAt(run, stage).f2p) : null];
      }),
  };
}

/** Stages split by how they ended (left: green, right: red); what is compared is their F2P. */
export function splitBySelfTest(run: Run): ConditionedStage[] {
  return stagesFrom(run, 0).flatMap((stage): ConditionedStage[] => {
    const result = selfTestAt(run, stage);
    if (result !== COLORS.green && result !== COLORS.red) return [];
    return [
      { stage, condition: result === COLORS.green ? 'left' : 'right', observation: scored(verdictAt(run, stage).f2p) },
    ];
  });
}

function selfTestAt(run: Run, stage: number): string | null {
  return run.stages[stage]?.line.selfTest ?? null;
}
