import { relative } from 'node:path';
import type { CheckFinding } from '#documents/check-finding.js';
import { taskLayout } from '#documents/layout.js';
import type { Repository } from '#git/index.js';
import type { TaskPackage } from '#store/index.js';
import { type MissingName, type SpecText, type StageMaterial, scanIdentifiers } from './specs/index.js';
import { stageMaterials } from './stage-materials.js';

/**
 * Reads the specs of a finished task as an agent would have to: every name and text that its F2P tests need must stand
 * in a spec, in the workspace or in the language.
 * @param repository holds the task's states
 */
export async function scanTaskSpecs(task: TaskPackage, repository: Repository): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  const specs: SpecText[] = [];
  for (const material of await materialsOfTask(task, repository)) {
    const { stage } = material;
    specs.push({ requirement: task.requirement(stage), contract: task.contract(stage) });
    const missing = await scanIdentifiers(material, specs);
    findings.push(...missing.map((name) => missingFinding(task, stage, name)));
  }
  return findings;
}

/** What the spec rules know of each stage, read back from a finished task. Commit messages are not in one. */
export function materialsOfTask(task: TaskPackage, repository: Repository): Promise<StageMaterial[]> {
  const stages = [...task.task.stages.keys()];
  const overlay = new Set(stages.flatMap((stage) => task.suite(stage).overlay));
  const aside = stages.flatMap((stage) => task.suite(stage).setAside.map((pattern) => new RegExp(pattern)));
  const files = Promise.all(task.states.map((state) => repository.files(state)));
  return files.then((states) =>
    stageMaterials({
      repository,
      states,
      stages: stages.map((stage) => ({ messages: [], tests: task.suite(stage).tests })),
      isSuiteFile: (path) => overlay.has(path) || aside.some((pattern) => pattern.test(path)),
    }),
  );
}

function missingFinding(task: TaskPackage, stage: number, missing: MissingName): CheckFinding {
  const where = missing.files.length === 0 ? '' : ` (${missing.files.slice(0, 3).join(', ')})`;
  return {
    code: 'spec-lacks-name',
    severity: 'refusal',
    file: relative(task.folder, taskLayout(task.folder).contract(stage)),
    field: missing.name,
    message: `nothing tells of ${JSON.stringify(missing.name)}: ${missing.why}${where}`,
    hint: 'Write it into the contract with what a caller must know of it.',
  };
}
