import type { Limits, SandboxFacts } from '#sandbox/index.js';

/** Names of the limits that were asked for and that the kernel does not hold in this sandbox. */
export function unenforcedLimits(limits: Limits, enforced: SandboxFacts['enforced']): string[] {
  const asked = {
    pids: limits.pids !== null,
    memory: limits.memoryBytes !== null,
    cpus: limits.cpus !== null,
    disk: limits.diskBytes !== null,
  };
  return (['pids', 'memory', 'cpus', 'disk'] as const).filter((name) => asked[name] && !enforced[name]);
}
