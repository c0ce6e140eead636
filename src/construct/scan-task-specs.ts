import { relative } from 'node:path';
import type { CheckFinding } from '#documents/check-finding.js';
import { taskLayout } from '#documents/layout.js';
import { type Waivers, waiversDocument } from '#documents/waivers.js';
import type { Repository } from '#git/index.js';
import { readTextIfAny, type TaskPackage } from '#store/index.js';
import { type Giveaway, type MissingName, type SpecText, type StageMaterial, scanSpec } from './specs/index.js';
import { stageMaterials } from './stage-materials.js';

/**
 * Reads the specs of a finished task as an agent would have to: every name and text that its F2P tests need must stand
 * in a spec, in the workspace or in the language, and no line may give the reference away. What a person has waived in
 * private/waivers.json is a note.
 * @param repository holds the task's states
 */
export async function scanTaskSpecs(task: TaskPackage, repository: Repository): Promise<CheckFinding[]> {
  const waivers = await readWaivers(task);
  const findings: CheckFinding[] = [];
  const specs: SpecText[] = [];
  for (const material of await materialsOfTask(task, repository)) {
    const { stage } = material;
    specs.push({ requirement: task.requirement(stage), contract: task.contract(stage) });
    const { missing, giveaways: told } = await scanSpec(material, specs);
    const found = [
      ...missing.map((name) => missingFinding(task, stage, name)),
      ...told.map((giveaway) => giveawayFinding(task, stage, giveaway)),
    ];
    findings.push(...found.map(({ finding, about }) => waived(finding, { stage, about }, waivers)));
  }
  return findings;
}

/** What the spec rules know of each stage, read back from a finished task. Commit messages are not in one. */
export async function materialsOfTask(task: TaskPackage, repository: Repository): Promise<StageMaterial[]> {
  const stages = [...task.task.stages.keys()];
  const overlay = new Set(stages.flatMap((stage) => task.suite(stage).overlay));
  const aside = stages.flatMap((stage) => task.suite(stage).setAside.map((pattern) => new RegExp(pattern)));
  return stageMaterials({
    repository,
    states: await Promise.all(task.states.map((state) => repository.files(state))),
    stages: stages.map((stage) => ({ messages: [], tests: task.suite(stage).tests })),
    isSuiteFile: (path) => overlay.has(path) || aside.some((pattern) => pattern.test(path)),
  });
}

/** A finding, and the words by which a waiver names it. */
interface Found {
  finding: CheckFinding;
  about: string;
}

function missingFinding(task: TaskPackage, stage: number, missing: MissingName): Found {
  const where = missing.files.length === 0 ? '' : ` (${missing.files.slice(0, 3).join(', ')})`;
  const finding: CheckFinding = {
    code: 'spec-lacks-name',
    severity: 'refusal',
    file: relative(task.folder, taskLayout(task.folder).contract(stage)),
    field: missing.name,
    message: `nothing tells of ${JSON.stringify(missing.name)}: ${missing.why}${where}`,
    hint: 'Write it into the contract with what a caller must know of it, or waive it with a reason.',
  };
  return { finding, about: missing.name };
}

const GIVEN_AWAY: Record<Giveaway['kind'], string> = {
  'reference-code': 'repeats code of the reference',
  path: 'names a file',
  'private-name': 'names what no caller can see',
  history: 'tells of the history it comes from',
};

function giveawayFinding(task: TaskPackage, stage: number, { kind, document, line, text }: Giveaway): Found {
  const layout = taskLayout(task.folder);
  const finding: CheckFinding = {
    code: 'spec-gives-away',
    severity: 'refusal',
    file: relative(task.folder, document === 'contract' ? layout.contract(stage) : layout.requirement(stage)),
    field: `line ${line}`,
    message: `${GIVEN_AWAY[kind]}: ${JSON.stringify(text)}`,
    hint: 'Say what is to be reached, not how or where, or waive it with a reason.',
  };
  return { finding, about: text };
}

async function readWaivers(task: TaskPackage): Promise<Waivers['waivers']> {
  const path = taskLayout(task.folder).waivers;
  const text = await readTextIfAny(path);
  return text === null ? [] : waiversDocument.parse(text, path).waivers;
}

function waived(
  finding: CheckFinding,
  { stage, about }: { stage: number; about: string },
  waivers: Waivers['waivers'],
): CheckFinding {
  const waiver = waivers.find((one) => one.code === finding.code && one.stage === stage && one.about === about);
  if (waiver === undefined) return finding;
  return { ...finding, severity: 'note', message: `${finding.message}; waived by ${waiver.by}: ${waiver.reason}` };
}
