import type { AgentFacts } from './contract.js';

/** Facts of a turn that went well, with what is different. */
export function turnFacts(different: Partial<AgentFacts> & Pick<AgentFacts, 'durationMs'>): AgentFacts {
  return {
    started: true,
    exitCode: 0,
    signal: null,
    timedOut: false,
    sessionLost: null,
    refused: false,
    activity: null,
    error: null,
    nativeSessionId: null,
    usage: null,
    survivors: null,
    ...different,
  };
}
