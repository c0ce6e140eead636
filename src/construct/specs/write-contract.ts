import { contractEntries } from './contract-entries.js';
import { printContract } from './contract-text.js';
import type { ContractEntry, SpecText, StageMaterial } from './material.js';
import { readStage, type StageReading } from './read-stage.js';
import { missingNames } from './scan-identifiers.js';

export interface WrittenContract {
  entries: ContractEntry[];
  text: string;
}

/**
 * The stage's contract: what the difference of the states shows, then whatever else the tests use and nothing offers.
 * @param earlier specs of the stages before, whose names need not be told again
 * @param requirement of this stage, whose names count as told
 */
export async function writeContract(
  material: StageMaterial,
  earlier: readonly SpecText[],
  requirement: string,
): Promise<WrittenContract> {
  return contractOf(await readStage(material), earlier, requirement);
}

/** The contract of a stage that has been read already. */
export function contractOf(reading: StageReading, earlier: readonly SpecText[], requirement: string): WrittenContract {
  const entries = contractEntries(reading);
  const missing = missingNames(reading, [...earlier, { requirement, contract: printContract(entries) }]);
  for (const { name, kind } of missing)
    entries.push(leftOver(name, kind === 'module' ? 'module' : kind === 'flag' ? 'flag' : 'name'));
  return { entries, text: printContract(entries) };
}

function leftOver(name: string, kind: ContractEntry['kind']): ContractEntry {
  return {
    kind,
    name,
    module: null,
    signature: null,
    value: null,
    error: null,
    examples: [],
    change: 'new',
    needed: [name],
  };
}
