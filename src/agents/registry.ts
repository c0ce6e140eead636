import type { AgentConfiguration } from '#documents/experiment.js';
import { Fault } from '#kernel/faults.js';
import { command } from './command/command.js';
import type { AgentScaffold } from './contract.js';
import { faulty } from './faulty/faulty.js';
import { nop } from './nop/nop.js';
import { oracle } from './oracle/oracle.js';
import { scripted } from './scripted/scripted.js';

export const scaffolds: readonly AgentScaffold[] = [oracle, faulty, nop, scripted, command];

/** The scaffold of a configuration. */
export function scaffoldNamed(name: AgentConfiguration['scaffold']): AgentScaffold {
  const found = scaffolds.find((scaffold) => scaffold.name === name);
  if (found !== undefined) return found;
  throw new Fault({ code: 'scaffold-unknown', kind: 'input', message: `there is no scaffold ${JSON.stringify(name)}` });
}
