import { z } from 'zod';
import { checkOptions } from '../check-options.js';
import type { AgentScaffold } from '../contract.js';
import { turnFacts } from '../turn-facts.js';

/** Does nothing at all: what every hidden suite must be able to tell from work. */
export const nop: AgentScaffold = {
  name: 'nop',
  capabilities: { hostSide: true, executesModelOutput: false, resume: 'stateless', usage: 'none' },
  check: (configuration) => {
    checkOptions(configuration, z.strictObject({}));
  },
  open: async () => ({
    turn: async () => turnFacts({ activity: false, durationMs: 0 }),
    interrupt: async () => undefined,
    close: async () => undefined,
    liveProcesses: () => [],
  }),
};
