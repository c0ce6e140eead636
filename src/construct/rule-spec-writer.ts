import { certain } from '#kernel/faults.js';
import type { SpecMaterial, SpecWriter, StageSpec } from './construct-request.js';
import { type SpecText, writeSpec } from './specs/index.js';
import { stageMaterials } from './stage-materials.js';

/** Specs by rule: from commit messages, changed prose, test names and the difference of the states' interfaces. */
export const ruleSpecWriter: SpecWriter = { by: 'rules', model: null, write: writeByRules };

async function writeByRules({ repository, reference, suites, isSuiteFile }: SpecMaterial): Promise<StageSpec[]> {
  const materials = await stageMaterials({
    repository,
    states: reference.states.map(({ files }) => files),
    stages: reference.stages.stages.map(({ index, commits }) => ({
      messages: commits.map(({ message }) => message),
      tests: certain(suites[index], 'suite of the stage').suite.tests,
    })),
    isSuiteFile,
  });
  const specs: StageSpec[] = [];
  const earlier: SpecText[] = [];
  for (const material of materials) {
    const { title, requirement, contract, criteria } = await writeSpec(material, earlier);
    specs.push({ title, requirement, contract, criteria: criteria.criteria });
    earlier.push({ requirement, contract });
  }
  return specs;
}
