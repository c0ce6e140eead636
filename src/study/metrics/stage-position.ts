import { allOf, scored } from './certainty.js';
import type { Metric } from './metric.js';
import { gatesBefore, stagesFrom, verdictAt } from './verdict-view.js';

/** Stage gate at one position of the chain (`andLater`: and all after it), where everything before it passed. */
export function passAtPosition(position: number, andLater: boolean): Metric {
  const name = `m${position}${andLater ? '+' : ''}`;
  return {
    id: `pass-at-${name}`,
    short: name,
    label: `Stage pass at ${name}`,
    definition: `Stage pass rate at ${name}, over stages whose earlier stages all passed.`,
    unit: 'stage',
    better: 'higher',
    observe: (run) =>
      stagesFrom(run, position)
        .slice(0, andLater ? undefined : 1)
        .flatMap((stage) => {
          const before = allOf(gatesBefore(run, stage));
          if (before === false) return [];
          return [before === null ? null : scored(verdictAt(run, stage).passed)];
        }),
  };
}
