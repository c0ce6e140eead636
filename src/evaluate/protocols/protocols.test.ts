import { describe, expect, it } from 'vitest';
import { protocolShape } from '#documents/experiment.js';
import { countWords, stagePrompt } from './prompt.js';
import type { ProtocolStep, TurnRecord } from './protocol.js';
import { protocolOf } from './protocol-of.js';

function play(mode: 'chain' | 'isolated' | 'reference'): ProtocolStep[] {
  const protocol = protocolOf(protocolShape.parse({ mode }), 2);
  const history: TurnRecord[] = [];
  const steps: ProtocolStep[] = [];
  for (let count = 0; count < 10; count += 1) {
    const step = protocol.next(history);
    steps.push(step);
    if (step.kind !== 'turn') break;
    history.push({ stage: step.stage, round: 0, outcome: 'completed', tree: 't', judgement: null });
  }
  return steps;
}
const turn = (stage: number) => ({
  kind: 'turn',
  stage,
  round: 0,
  prompt: { kind: 'spec', stage },
  gate: 'queue',
});

describe('protocols', () => {
  it('chain: one session on the own code, then the chain gate', () => {
    expect(play('chain')).toEqual([
      { ...turn(0), workspace: { state: 0 }, session: 'fresh' },
      { ...turn(1), workspace: 'as-left', session: 'same' },
      { kind: 'chain-gate', stage: 1 },
    ]);
  });

  it('isolated: every stage from its reference state in a fresh session', () => {
    expect(play('isolated')).toEqual([
      { ...turn(0), workspace: { state: 0 }, session: 'fresh' },
      { ...turn(1), workspace: { state: 1 }, session: 'fresh' },
      { kind: 'end' },
    ]);
  });

  it('reference: one session, but each stage on the reference code', () => {
    expect(play('reference')).toEqual([
      { ...turn(0), workspace: { state: 0 }, session: 'fresh' },
      { ...turn(1), workspace: { state: 1 }, session: 'same' },
      { kind: 'end' },
    ]);
  });

  it.each(['L1', 'L2', 'L3'] as const)('refuses %s instead of running something else', (level) => {
    expect(() => protocolOf(protocolShape.parse({ level }), 2)).toThrow(/runs L4 only/);
  });

  it('tells an agent the requirement and the contract, and nothing else', () => {
    expect(stagePrompt({ requirement: '# A\n\nb\n\n', contract: '\n# C\n' })).toBe('# A\n\nb\n\n# C\n');
    expect(countWords(' a  b\nc ')).toBe(3);
  });
});
