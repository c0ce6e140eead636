import type { Experiment } from '#documents/experiment.js';
import { Fault } from '#kernel/faults.js';
import { chainProtocol, isolatedProtocol, referenceProtocol } from './chain-protocol.js';
import type { Protocol } from './protocol.js';

const MODES = { chain: chainProtocol, isolated: isolatedProtocol, reference: referenceProtocol };

/** @throws Fault `level-unsupported` (usage) for the levels at which the user speaks between stages */
export function checkProtocol({ level }: Experiment['protocol'], where: string): void {
  if (level === 'L4') return;
  throw new Fault({
    code: 'level-unsupported',
    kind: 'usage',
    message: `${where}: field protocol.level: this version runs L4 only, not ${level}`,
    hint: 'Set protocol.level to L4, or leave it out.',
  });
}

/** The protocol of an experiment for a task of so many stages. */
export function protocolOf(settings: Experiment['protocol'], stages: number): Protocol {
  checkProtocol(settings, 'experiment');
  return MODES[settings.mode](stages);
}
