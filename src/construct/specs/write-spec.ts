import type { Criteria } from '#documents/criteria.js';
import type { ContractEntry, SpecText, StageMaterial } from './material.js';
import { readStage } from './read-stage.js';
import { type Giveaway, giveaways } from './scan-giveaways.js';
import { type MissingName, missingNames } from './scan-identifiers.js';
import { contractOf } from './write-contract.js';
import { requirementOf } from './write-requirement.js';

export interface WrittenSpec extends SpecText {
  title: string;
  criteria: Criteria;
  entries: ContractEntry[];
  /** Both empty for a spec that the rules wrote; what is left is for a person to mend or to waive with a reason. */
  missing: MissingName[];
  giveaways: Giveaway[];
}

/**
 * Requirement, contract and criteria of a stage with both scans, the material parsed once.
 * @param earlier specs of the stages before, in order
 */
export async function writeSpec(material: StageMaterial, earlier: readonly SpecText[]): Promise<WrittenSpec> {
  const reading = await readStage(material);
  const { title, text: requirement, criteria } = await requirementOf(reading);
  const { entries, text: contract } = contractOf(reading, earlier, requirement);
  const spec = { requirement, contract };
  return {
    ...spec,
    title,
    criteria,
    entries,
    missing: missingNames(reading, [...earlier, spec]),
    giveaways: giveaways(reading, spec),
  };
}

/**
 * Both scans over specs as they stand on disk.
 * @param specs of the stage and all before it, in order; the stage's last
 */
export async function scanSpec(
  material: StageMaterial,
  specs: readonly SpecText[],
): Promise<{ missing: MissingName[]; giveaways: Giveaway[] }> {
  const reading = await readStage(material);
  const own = specs.at(-1) ?? { requirement: '', contract: '' };
  return { missing: missingNames(reading, specs), giveaways: giveaways(reading, own) };
}
