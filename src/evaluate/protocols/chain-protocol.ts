import type { Protocol } from './protocol.js';

/** Stage after stage in one session on the agent's own code; nobody ever says how it went (L4). */
export function chainProtocol(stages: number): Protocol {
  return {
    name: 'chain',
    hasChainGate: true,
    next: (history) => {
      const stage = history.length;
      if (stage > stages) return { kind: 'end' };
      if (stage === stages) return { kind: 'chain-gate', stage: stages - 1 };
      return {
        kind: 'turn',
        stage,
        round: 0,
        prompt: { kind: 'spec', stage },
        workspace: stage === 0 ? { state: 0 } : 'as-left',
        session: stage === 0 ? 'fresh' : 'same',
        gate: 'queue',
      };
    },
  };
}

/** Each stage by itself: from its reference state, in a session that knows nothing of the others. */
export function isolatedProtocol(stages: number): Protocol {
  return stateProtocol('isolated', stages, () => 'fresh');
}

/** One session through all stages, but the code of each is the reference's, not the agent's own. */
export function referenceProtocol(stages: number): Protocol {
  return stateProtocol('reference', stages, (stage) => (stage === 0 ? 'fresh' : 'same'));
}

function stateProtocol(name: string, stages: number, session: (stage: number) => 'same' | 'fresh'): Protocol {
  return {
    name,
    hasChainGate: false,
    next: (history) => {
      const stage = history.length;
      if (stage >= stages) return { kind: 'end' };
      return {
        kind: 'turn',
        stage,
        round: 0,
        prompt: { kind: 'spec', stage },
        workspace: { state: stage },
        session: session(stage),
        gate: 'queue',
      };
    },
  };
}
