import type { Outcome } from '#documents/outcomes.js';
import type { SandboxFacts } from '#sandbox/index.js';
import type { AgentFacts } from './contract.js';

/** What the model gateway saw during one turn. It, and not the agent's exit code, knows whether model calls succeeded. */
export interface GatewayFacts {
  requests: number;
  /** Why the last model request failed for good, after all retries; null where it succeeded. */
  lastFailure: 'rate-limit' | 'overload' | 'auth' | 'model-not-found' | 'unreachable' | null;
  /** Which budget ended the turn. */
  budgetSpent: 'tokens' | 'dollars' | 'requests' | null;
  /** The model's own refusal ended the turn. */
  refused: boolean;
}

/** The facts of a turn that decide; the rest is evidence. */
export type DecidingFacts = Pick<
  AgentFacts,
  'started' | 'exitCode' | 'signal' | 'timedOut' | 'sessionLost' | 'refused' | 'activity' | 'error'
>;

/**
 * What happened to a stage, from facts alone. The order is the point: what is ours or the provider's comes before what
 * could look like the agent's deed, and a deed of the agent is never excused by what it did to its own sandbox.
 * @param gateway null where the agent used no gateway
 */
export function classifyOutcome(
  agent: DecidingFacts,
  gateway: GatewayFacts | null,
  sandbox: Pick<SandboxFacts, 'diskFull' | 'enforced'>,
): Outcome {
  if (!agent.started || agent.sessionLost === 'environment') return 'environment-error';
  // A limit that the kernel holds is the agent's to respect; a full disk of the host is not its fault.
  if (sandbox.diskFull === true && !sandbox.enforced.disk) return 'environment-error';
  if (gateway !== null) {
    if (gateway.budgetSpent !== null) return 'agent-budget';
    if (gateway.lastFailure !== null) return 'provider-error';
  }
  if (agent.timedOut) return 'agent-timeout';
  if (agent.refused || gateway?.refused === true) return 'agent-refusal';
  const ended = agent.exitCode === 0 && agent.signal === null;
  if (!ended || agent.sessionLost === 'agent' || agent.error !== null) return 'agent-error';
  if (agent.activity === false) return 'no-activity';
  return 'completed';
}
