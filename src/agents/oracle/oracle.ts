import { z } from 'zod';
import { certain } from '#kernel/faults.js';
import { checkOptions } from '../check-options.js';
import type { AgentScaffold } from '../contract.js';
import { turnFacts } from '../turn-facts.js';

/** Applies each stage's reference change: what a right answer looks like to the gates. */
export const oracle: AgentScaffold = {
  name: 'oracle',
  capabilities: { hostSide: true, executesModelOutput: false, resume: 'stateless', usage: 'none' },
  check: (configuration) => {
    checkOptions(configuration, z.strictObject({}));
  },
  open: async ({ reference }) => ({
    turn: async ({ stage }) => {
      const startedAt = performance.now();
      const { conflicts } = await certain(reference, 'the reference of the oracle').applyStage(stage);
      const error = conflicts.length === 0 ? null : `the reference does not apply to ${conflicts.join(', ')}`;
      return turnFacts({ error, durationMs: performance.now() - startedAt });
    },
    interrupt: async () => undefined,
    close: async () => undefined,
    liveProcesses: () => [],
  }),
};
