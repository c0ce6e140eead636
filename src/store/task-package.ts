import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Criteria, criteriaDocument } from '#documents/criteria.js';
import { gateDigestOf, publicDigestOf, type SuiteFileFacts, suiteDigestOf } from '#documents/digests.js';
import { type Environment, environmentDocument } from '#documents/environment.js';
import { taskLayout } from '#documents/layout.js';
import { type Suite, suiteDocument } from '#documents/suite.js';
import { type Task, taskDocument } from '#documents/task.js';
import { Fault } from '#kernel/faults.js';
import { digestOf } from '#kernel/ids.js';
import { readBundleHeads } from './bundle-heads.js';
import { checkSuite } from './check-suite.js';
import { readText, writeFileAtomic } from './files.js';
import { listPlainFiles, type PlainFile, readPlainFiles } from './plain-files.js';

/** A stage's number, or `chain` for the suite over the whole chain. */
export type SuitePlace = number | 'chain';

export interface SuiteFiles {
  /** Hidden tests with their fixtures, helpers and runner configuration, by path key. */
  tests: Map<string, PlainFile>;
  /** The reference's copies of manifests, by path key. */
  manifests: Map<string, PlainFile>;
}

/** A task package that was read and checked whole. Its documents do not change while it is held. */
export interface TaskPackage {
  readonly folder: string;
  readonly task: Task;
  readonly environment: Environment;
  /** Id of the one commit in `bundle`, and of the reference states S_0..S_n in `statesBundle`. */
  readonly initialCommit: string;
  readonly states: readonly string[];
  /** Paths of the git bundles: S_0 as one commit, and refs/states/0..n. */
  readonly bundle: string;
  readonly statesBundle: string;
  requirement(stage: number): string;
  contract(stage: number): string;
  suite(place: SuitePlace): Suite;
  criteria(stage: number): Criteria;
  testsFolder(place: SuitePlace): string;
  manifestsFolder(place: SuitePlace): string;
  /** The suite's files, read again and compared with its digest. @throws Fault `digest-mismatch` (input) */
  suiteFiles(place: SuitePlace): Promise<SuiteFiles>;
}

/** The digests that a package's files amount to, whatever its documents say. */
export interface TaskDigests {
  suites: { place: SuitePlace; digest: string }[];
  gateDigest: string;
  publicDigest: string;
}

const INCOMPLETE = 'A task package is complete or unusable: fetch it again or build it anew.';

/**
 * Reads and checks a task package: every document with its shape, every suite's tree, the bundles' checksums, all digests.
 * @throws Fault (input) naming file and field, and what to do
 */
export async function openTaskPackage(folder: string): Promise<TaskPackage> {
  const read = await readTask(folder);
  const digests = digestsOf(read);
  for (const [index, { place, digest }] of digests.suites.entries()) {
    const suite = read.suites[index];
    if (suite !== undefined && suite.document.gateDigest !== digest)
      throw mismatch(taskLayout(folder).suite(place), 'gateDigest', suite.document.gateDigest, digest);
  }
  const { task } = read;
  const document = taskLayout(folder).document;
  if (task.gateDigest !== digests.gateDigest)
    throw mismatch(document, 'gateDigest', task.gateDigest, digests.gateDigest);
  if (task.publicDigest !== digests.publicDigest)
    throw mismatch(document, 'publicDigest', task.publicDigest, digests.publicDigest);
  return packageOf(folder, read);
}

/**
 * Writes the digests into a package's documents, whatever stood there: the last step of making one.
 * @returns the digests
 * @throws Fault (input) where the package is otherwise wrong
 */
export async function sealTaskFolder(folder: string): Promise<TaskDigests> {
  const layout = taskLayout(folder);
  const read = await readTask(folder);
  const digests = digestsOf(read);
  for (const [index, { place, digest }] of digests.suites.entries()) {
    const suite = read.suites[index];
    if (suite !== undefined)
      await writeFileAtomic(layout.suite(place), suiteDocument.print({ ...suite.document, gateDigest: digest }));
  }
  const { gateDigest, publicDigest } = digests;
  await writeFileAtomic(layout.document, taskDocument.print({ ...read.task, gateDigest, publicDigest }));
  return digests;
}

interface ReadTask {
  task: Task;
  environment: Environment;
  initialCommit: string;
  states: string[];
  specs: { requirement: string; contract: string }[];
  criteria: Criteria[];
  suites: { place: SuitePlace; document: Suite; facts: { tests: SuiteFileFacts[]; manifests: SuiteFileFacts[] } }[];
}

async function readTask(folder: string): Promise<ReadTask> {
  const layout = taskLayout(folder);
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    const hint = 'Give the folder that holds task.json.';
    throw new Fault({ code: 'file-missing', kind: 'input', message: `${folder}: no such folder`, hint });
  }
  await listPlainFiles(folder);
  const task = taskDocument.parse(
    await readText(layout.document, 'Give the folder of a task package.'),
    layout.document,
  );
  const environment = environmentDocument.parse(await readText(layout.environment, INCOMPLETE), layout.environment);
  if (environment.digest !== task.environment)
    throw mismatch(layout.environment, 'digest', environment.digest, task.environment);
  const stages = [...task.stages.keys()];
  const specs: ReadTask['specs'] = [];
  const criteria: Criteria[] = [];
  for (const stage of stages) {
    specs.push({
      requirement: await readText(layout.requirement(stage), INCOMPLETE),
      contract: await readText(layout.contract(stage), INCOMPLETE),
    });
    criteria.push(criteriaDocument.parse(await readText(layout.criteria(stage), INCOMPLETE), layout.criteria(stage)));
  }
  const suites: ReadTask['suites'] = [];
  for (const place of [...stages, 'chain' as const]) suites.push(await readSuite(folder, place));
  const { initialCommit, states } = await readBundles(folder, stages.length);
  return { task, environment, initialCommit, states, specs, criteria, suites };
}

async function readSuite(folder: string, place: SuitePlace): Promise<ReadTask['suites'][number]> {
  const layout = taskLayout(folder);
  const where = layout.suite(place);
  const document = suiteDocument.parse(await readText(where, INCOMPLETE), where);
  const files = await readFiles(folder, place);
  checkSuite(document, where, place, files);
  return { place, document, facts: { tests: factsOf(files.tests), manifests: factsOf(files.manifests) } };
}

async function readFiles(folder: string, place: SuitePlace): Promise<SuiteFiles> {
  const layout = taskLayout(folder);
  return {
    tests: await readPlainFiles(layout.suiteTests(place)),
    manifests: await readPlainFiles(layout.suiteManifests(place)),
  };
}

function factsOf(files: ReadonlyMap<string, PlainFile>): SuiteFileFacts[] {
  return [...files].map(([path, { executable, content }]) => ({ path, executable, digest: digestOf(content) }));
}

async function readBundles(folder: string, stages: number): Promise<{ initialCommit: string; states: string[] }> {
  const layout = taskLayout(folder);
  const initial = new Set((await readBundleHeads(layout.bundle)).map((head) => head.oid));
  const [initialCommit] = initial;
  if (initialCommit === undefined || initial.size !== 1)
    throw damagedBundle(layout.bundle, `names ${initial.size} commits where one is due`);
  const heads = new Map((await readBundleHeads(layout.states)).map((head) => [head.ref, head.oid]));
  const states: string[] = [];
  for (let state = 0; state <= stages; state += 1) {
    const oid = heads.get(`refs/states/${state}`);
    if (oid === undefined) throw damagedBundle(layout.states, `refs/states/${state} is missing`);
    states.push(oid);
  }
  return { initialCommit, states };
}

function digestsOf(read: ReadTask): TaskDigests {
  const suites = read.suites.map(({ place, document, facts }) => ({ place, digest: suiteDigestOf(document, facts) }));
  const { task, environment, initialCommit, states, specs } = read;
  return {
    suites,
    gateDigest: gateDigestOf({ suites: suites.map(({ digest }) => digest), states }),
    publicDigest: publicDigestOf({ task, initialCommit, specs, environment }),
  };
}

function packageOf(folder: string, read: ReadTask): TaskPackage {
  const layout = taskLayout(folder);
  const at = <T>(rows: readonly T[], stage: number): T => {
    const row = rows[stage];
    if (row !== undefined) return row;
    throw new Fault({
      code: 'stage-unknown',
      kind: 'input',
      message: `${layout.document}: stage ${stage} asked of a task with stages 0 to ${rows.length - 1}`,
      hint: 'Give a stage that the task has.',
    });
  };
  const suiteAt = (place: SuitePlace) =>
    place === 'chain' ? at(read.suites, read.specs.length) : at(read.suites.slice(0, read.specs.length), place);
  return {
    folder,
    task: read.task,
    environment: read.environment,
    initialCommit: read.initialCommit,
    states: read.states,
    bundle: layout.bundle,
    statesBundle: layout.states,
    requirement: (stage) => at(read.specs, stage).requirement,
    contract: (stage) => at(read.specs, stage).contract,
    suite: (place) => suiteAt(place).document,
    criteria: (stage) => at(read.criteria, stage),
    testsFolder: (place) => layout.suiteTests(place),
    manifestsFolder: (place) => layout.suiteManifests(place),
    suiteFiles: async (place) => {
      const files = await readFiles(folder, place);
      const { document } = suiteAt(place);
      const digest = suiteDigestOf(document, { tests: factsOf(files.tests), manifests: factsOf(files.manifests) });
      if (digest !== document.gateDigest)
        throw mismatch(join(layout.suiteFolder(place), 'suite.json'), 'gateDigest', document.gateDigest, digest);
      return files;
    },
  };
}

function mismatch(where: string, field: string, stated: string, found: string): Fault {
  return new Fault({
    code: 'digest-mismatch',
    kind: 'input',
    message: `${where}: field ${field}: states ${stated}, but the files amount to ${found}`,
    hint: 'The package was changed after it was made; restore it or build the task anew.',
  });
}

function damagedBundle(path: string, what: string): Fault {
  return new Fault({
    code: 'bundle-damaged',
    kind: 'input',
    message: `${path}: ${what}`,
    hint: 'Fetch the task package again or build it anew.',
  });
}
