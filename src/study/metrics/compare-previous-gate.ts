import { scored } from './certainty.js';
import type { Run } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';
import type { ConditionedStage } from './within-groups.js';

/** Later stages split by the gate right before them (left: passed, right: failed); what is compared is their F2P. */
export function splitByPreviousGate(run: Run): ConditionedStage[] {
  return stagesFrom(run, 1).flatMap((stage): ConditionedStage[] => {
    const gate = verdictAt(run, stage - 1).passed;
    if (gate === null) return [];
    return [{ stage, condition: gate ? 'left' : 'right', observation: scored(verdictAt(run, stage).f2p) }];
  });
}
