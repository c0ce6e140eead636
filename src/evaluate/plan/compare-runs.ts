import type { Experiment } from '#documents/experiment.js';
import type { RunIdentity } from '#documents/run-events.js';
import { conditionsDigest } from './digests.js';

/** What a run of this experiment is, in digests. */
export function identityOf(experiment: Experiment, run: { agent: string; task: string; attempt: number }): RunIdentity {
  const agent = experiment.agents.find(({ name }) => name === run.agent);
  const task = experiment.tasks.find(({ id }) => id === run.task);
  return {
    ...run,
    agentDigest: agent?.digest ?? '',
    publicDigest: task?.publicDigest ?? '',
    conditionsDigest: conditionsDigest(experiment),
  };
}

/** Why a run that was begun cannot be continued as what it is now meant to be; empty where it can. */
export function whyInvalid(
  begun: RunIdentity,
  now: RunIdentity,
  before: Experiment | null,
  after: Experiment,
): string[] {
  const reasons: string[] = [];
  if (begun.publicDigest !== now.publicDigest)
    reasons.push(
      `task ${now.task}: what an agent can see has changed (${short(begun.publicDigest)} -> ${short(now.publicDigest)})`,
    );
  if (begun.agentDigest !== now.agentDigest) reasons.push(`agent ${now.agent}: its configuration has changed`);
  if (begun.conditionsDigest !== now.conditionsDigest)
    reasons.push(`the conditions of the experiment have changed${named(conditionChanges(before, after))}`);
  return reasons;
}

/** Tasks whose hidden gates changed while nothing that an agent can see did: their verdicts are stale. */
export function staleGates(before: Experiment | null, after: Experiment): string[] {
  return after.tasks
    .filter(({ id, gateDigest }) => {
      const old = before?.tasks.find((task) => task.id === id);
      return old !== undefined && old.gateDigest !== gateDigest;
    })
    .map(({ id }) => id);
}

function conditionChanges(before: Experiment | null, after: Experiment): string[] {
  if (before === null) return [];
  const rows = (experiment: Experiment): Record<string, unknown> => ({
    ...prefixed('protocol', experiment.protocol),
    ...prefixed('sandbox', experiment.sandbox),
  });
  const [old, now] = [rows(before), rows(after)];
  return Object.keys(now)
    .filter((field) => field !== 'protocol.attempts' && JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => `${field} ${JSON.stringify(old[field])} -> ${JSON.stringify(now[field])}`);
}

function prefixed(prefix: string, value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [`${prefix}.${key}`, held]));
}

function named(changes: readonly string[]): string {
  return changes.length === 0 ? '' : ` (${changes.join(', ')})`;
}

function short(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12);
}
