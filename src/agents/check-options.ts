import type { z } from 'zod';
import type { AgentConfiguration } from '#documents/experiment.js';
import { Fault } from '#kernel/faults.js';

/** The options of an agent by its scaffold's own shape. @throws Fault `agent-options` (input) naming agent and field */
export function checkOptions<T>(configuration: AgentConfiguration, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(configuration.options);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = ['options', ...(issue?.path ?? [])].map(String).join('.');
  throw new Fault({
    code: 'agent-options',
    kind: 'input',
    message: `agent ${configuration.name} (${configuration.scaffold}): field ${field}: ${issue?.message ?? 'invalid'}`,
    hint: 'docs/run.md lists the options of each scaffold.',
    context: { agent: configuration.name, field },
  });
}
