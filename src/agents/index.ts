/** Drives a coding agent through the stages of a run: one session, one workspace, facts instead of judgements. */
export { classifyOutcome, type DecidingFacts, type GatewayFacts } from './classify-outcome.js';
export type {
  AgentCapabilities,
  AgentFacts,
  AgentScaffold,
  AgentSession,
  AgentSessionRequest,
  AgentTurn,
  AgentUsage,
  ReferenceHand,
} from './contract.js';
export { scaffoldNamed } from './registry.js';
