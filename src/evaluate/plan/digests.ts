import type { AgentConfiguration, Experiment } from '#documents/experiment.js';
import { digestOfJson } from '#kernel/ids.js';

/** Everything about an agent that can change what it does; its name is only what it is called here. */
export function agentDigest({ scaffold, version, model, options }: AgentConfiguration): string {
  return digestOfJson({ scaffold, version, model, options });
}

/** The conditions that all runs of an experiment share. How many attempts and how much at once are none of them. */
export function conditionsDigest({ protocol, sandbox }: Pick<Experiment, 'protocol' | 'sandbox'>): string {
  const { level, mode, stageBudget, repairRounds, seed } = protocol;
  const { kind, network, cpus, memory, pids, disk } = sandbox;
  return digestOfJson({
    protocol: { level, mode, stageBudget, repairRounds, seed },
    sandbox: { kind, network, cpus, memory, pids, disk },
  });
}
