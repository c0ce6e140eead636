import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { criteriaDocument } from '#documents/criteria.js';
import { environmentDocument } from '#documents/environment.js';
import { taskLayout } from '#documents/layout.js';
import { provenanceDocument, validationDocument } from '#documents/provenance.js';
import { suiteDocument } from '#documents/suite.js';
import { type Task, taskDocument, taskShape } from '#documents/task.js';
import { materialise, type Repository, type TreeFiles } from '#git/index.js';
import { pathBytes } from '#kernel/bytes.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { digestOfJson, unguessableId } from '#kernel/ids.js';
import { diskFault, openTaskPackage, removeTree, sealTaskFolder, type TaskPackage } from '#store/index.js';
import { printDockerfile } from './print-dockerfile.js';
import { measureStages } from './stage-figures.js';
import type { PackagedStage, PackagedSuite, TaskParts } from './task-parts.js';
import { writeBundles } from './write-bundles.js';

/**
 * Refuses an id that a task cannot have.
 * @throws Fault `task-id-invalid` (usage)
 */
export function requireTaskId(id: string): void {
  if (taskShape.shape.id.safeParse(id).success) return;
  throw new Fault({
    code: 'task-id-invalid',
    kind: 'usage',
    message: `${JSON.stringify(id)} is no task id`,
    hint: 'Use lower-case letters, digits, dots, dashes and underscores, beginning with a letter or digit.',
  });
}

/** @throws Fault `task-exists` (input) where something stands at the folder already */
export async function requireFree(folder: string): Promise<void> {
  try {
    await stat(folder);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return;
    throw thrown;
  }
  throw new Fault({
    code: 'task-exists',
    kind: 'input',
    message: `${folder}: exists already`,
    hint: 'Choose another --out or --id, or remove the folder first.',
  });
}

/**
 * Writes a task package whole or not at all: everything goes into a folder beside it, is read back and checked, and is
 * then renamed.
 * @throws Fault `task-exists` (input), `disk-full` (environment)
 */
export async function writeTaskPackage(folder: string, parts: TaskParts): Promise<TaskPackage> {
  await requireFree(folder);
  const part = join(dirname(folder), `.${parts.id}.${unguessableId(4)}.part`);
  try {
    await mkdir(part, { recursive: true });
    await writeParts(part, parts);
    await sealTaskFolder(part);
    await openTaskPackage(part);
    await rename(part, folder);
    return await openTaskPackage(folder);
  } catch (thrown) {
    throw diskFault(thrown, folder) ?? thrown;
  } finally {
    await removeTree(part);
  }
}

async function writeParts(folder: string, parts: TaskParts): Promise<void> {
  const layout = taskLayout(folder);
  const canary = canaryOf(parts);
  const { repository, environment } = parts;
  await mkdir(layout.private, { recursive: true });
  await writeBundles(
    repository,
    parts.states.map(({ tree }) => tree),
    { workspace: layout.bundle, states: layout.states },
  );
  await put(layout.environment, environmentDocument.print(environment));
  await put(layout.dockerfile, printDockerfile(environment));
  for (const [path, content] of parts.environmentInputs)
    await put(Buffer.concat([Buffer.from(`${layout.environmentInputs}/`), pathBytes(path)]), content);
  for (const [stage, own] of parts.stages.entries()) await writeStage(folder, repository, { stage, own, canary });
  await writeSuite(folder, repository, { place: 'chain', suite: parts.chain, canary });
  await put(layout.validation, validationDocument.print({ ...parts.validation, canary }));
  await put(layout.provenance, provenanceDocument.print({ ...parts.provenance, canary }));
  await put(layout.document, taskDocument.print(await taskOf(parts, canary)));
}

async function writeStage(
  folder: string,
  repository: Repository,
  { stage, own, canary }: { stage: number; own: PackagedStage; canary: string },
): Promise<void> {
  const layout = taskLayout(folder);
  await put(layout.requirement(stage), own.requirement);
  await put(layout.contract(stage), own.contract);
  await put(layout.referencePatch(stage), own.patch);
  await writeSuite(folder, repository, { place: stage, suite: own.suite, canary });
  await put(layout.criteria(stage), criteriaDocument.print({ stage, criteria: own.criteria, canary }));
}

async function writeSuite(
  folder: string,
  repository: Repository,
  { place, suite, canary }: { place: number | 'chain'; suite: PackagedSuite; canary: string },
): Promise<void> {
  const layout = taskLayout(folder);
  // A package holds plain files only; a link among the tests stays as the workspace has it.
  const tests = withoutLinks(suite.tests);
  await materialise(repository, tests, layout.suiteTests(place));
  await materialise(repository, withoutLinks(suite.manifests), layout.suiteManifests(place));
  const document = {
    ...suite.suite,
    overlay: suite.suite.overlay.filter((path) => tests.has(path)),
    gateDigest: '',
    canary,
  };
  await put(layout.suite(place), suiteDocument.print(document));
}

function withoutLinks(files: TreeFiles): TreeFiles {
  return new Map([...files].filter(([, file]) => file.mode === '100644' || file.mode === '100755'));
}

async function taskOf(parts: TaskParts, canary: string): Promise<Task> {
  const figures = await measureStages(parts.repository, parts.states);
  const counted = (stage: PackagedStage, kind: 'f2p' | 'p2p'): number =>
    stage.suite.suite.tests.filter((test) => test.kind === kind).length;
  return {
    id: parts.id,
    title: parts.title,
    language: parts.language,
    domain: parts.domain,
    source: { ...parts.source, canary },
    stages: parts.stages.map((stage, index) => ({
      title: stage.title,
      ...(figures[index] ?? { sourceLines: 0, testLines: 0, sourceFiles: 0, sharedFileShare: null }),
      f2p: counted(stage, 'f2p'),
      p2p: counted(stage, 'p2p'),
    })),
    budgets: { stageMs: parts.stageMs },
    runner: parts.runner,
    environment: parts.environment.digest,
    protectedPaths: parts.environment.owned,
    construction: parts.construction,
    publicDigest: '',
    gateDigest: '',
  };
}

/** The same task always has the same canary, so that a rebuilt copy is recognised too. */
function canaryOf(parts: TaskParts): string {
  const { repo, checkpoint } = parts.source;
  const digest = digestOfJson({ canary: [repo, checkpoint, parts.states.map(({ tree }) => tree)] });
  return `featurearc-canary-${digest.slice('sha256:'.length, 'sha256:'.length + 32)}`;
}

async function put(path: string | Buffer, content: string | Buffer): Promise<void> {
  const text = path.toString('latin1');
  const parent = Buffer.isBuffer(path) ? Buffer.from(text.slice(0, text.lastIndexOf('/')), 'latin1') : dirname(path);
  await mkdir(parent, { recursive: true });
  await writeFile(path, content, { flag: 'wx' });
}
