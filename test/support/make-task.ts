import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { criteriaDocument } from '#documents/criteria.js';
import { type Environment, environmentDocument } from '#documents/environment.js';
import { taskLayout } from '#documents/layout.js';
import { provenanceDocument, validationDocument } from '#documents/provenance.js';
import { type Suite, type SuiteTest, suiteDocument } from '#documents/suite.js';
import { type Task, taskDocument } from '#documents/task.js';
import { type TestKey, testId } from '#documents/test-identity.js';
import { createRepository, keyOfText, type Repository, type TreeFiles } from '#git/index.js';
import { digestOfJson } from '#kernel/ids.js';
import { sealTaskFolder } from '#store/index.js';
import {
  SAMPLE_SPECS,
  SAMPLE_STAGES,
  SLUG_TESTS,
  sampleState,
  sampleTestText,
  slugTestFile,
} from './sample-feature.js';

export interface MakeTaskOptions {
  id?: string;
  /** 1 to 3. */
  stages?: number;
  stageMs?: number;
  /** Further files of every state, path -> text. */
  extraFiles?: Record<string, string>;
  /** Workspace paths that belong to the environment. */
  owned?: string[];
}

const SLUG_FILE = 'test/slug.test.js';
const SHOUT_FILE = 'test/shout.test.js';
const SHOUT_TITLE = 'shout raises the voice';

/**
 * Writes a minimal valid task package on node:test into an empty folder: states, suites with twins, specs, an empty
 * environment. Everything in it really holds: the reference passes, each earlier state fails.
 * @returns the folder
 */
export async function makeTask(folder: string, options: MakeTaskOptions = {}): Promise<string> {
  const stages = Math.min(options.stages ?? SAMPLE_STAGES, SAMPLE_STAGES);
  const layout = taskLayout(folder);
  await mkdir(layout.private, { recursive: true });
  const trees = await writeBundles(folder, stages, options.extraFiles ?? {});
  const environment = emptyEnvironment(options.owned ?? []);
  await put(layout.environment, environmentDocument.print(environment));
  const suites: Suite[] = [];
  for (const stage of [...Array(stages).keys(), 'chain' as const]) suites.push(await writeSuite(folder, stage, stages));
  for (let stage = 0; stage < stages; stage += 1) await writeSpec(folder, stage);
  await put(layout.provenance, provenanceDocument.print(sampleProvenance(trees, stages)));
  await put(
    layout.validation,
    validationDocument.print({ environment: environment.digest, sandbox: 'local', tools: {}, observations: [] }),
  );
  await put(layout.document, taskDocument.print(sampleTask(suites, environment, stages, options)));
  await sealTaskFolder(folder);
  return folder;
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

async function writeState(repository: Repository, files: Record<string, string>): Promise<string> {
  const tree: TreeFiles = new Map();
  for (const [path, text] of Object.entries(files))
    tree.set(keyOfText(path), { mode: '100644', oid: await repository.writeBlob(Buffer.from(text)) });
  return repository.writeTree(tree);
}

/** workspace.bundle (S_0 as one commit) and private/states.bundle. @returns the trees of S_0..S_n */
async function writeBundles(folder: string, stages: number, extra: Record<string, string>): Promise<string[]> {
  const layout = taskLayout(folder);
  const gitDir = join(folder, '.making.git');
  const repository = await createRepository(gitDir);
  const trees: string[] = [];
  for (let state = 0; state <= stages; state += 1) {
    const tree = await writeState(repository, { ...extra, ...sampleState(state) });
    const commit = await repository.writeCommit({ tree, message: `state ${state}` });
    await repository.git({ args: ['update-ref', `refs/states/${state}`, commit] });
    if (state === 0) {
      const first = await repository.writeCommit({ tree, message: 'Initial state' });
      await repository.git({ args: ['update-ref', 'refs/heads/main', first] });
    }
    trees.push(tree);
  }
  await repository.git({ args: ['bundle', 'create', '-q', layout.bundle, 'refs/heads/main'] });
  await repository.git({ args: ['bundle', 'create', '-q', layout.states, '--glob=refs/states/*'] });
  await repository.close();
  await rm(gitDir, { recursive: true });
  return trees;
}

function emptyEnvironment(owned: string[]): Environment {
  return {
    digest: digestOfJson([]),
    recipe: { kind: 'empty', toolchains: {}, install: [], inputs: [], packages: {} },
    mounts: [],
    scratch: [],
    owned,
    env: {},
    path: [],
    prepare: [],
  };
}

function keyOf(file: string, title: string): TestKey {
  return { runner: 'node-test', project: null, file, path: [title], ordinal: 0 };
}

function suiteTests(stage: number | 'chain', stages: number): SuiteTest[] {
  const upTo = stage === 'chain' ? stages - 1 : stage;
  const row = (file: string, title: string, since: SuiteTest['since']): SuiteTest => ({
    id: testId(keyOf(file, title)),
    key: keyOf(file, title),
    run: 'node',
    kind: since === null ? 'f2p' : 'p2p',
    why: since === null ? 'new' : null,
    since,
    validThrough: stages,
    durationMs: 1,
  });
  const tests: SuiteTest[] = [row(SHOUT_FILE, SHOUT_TITLE, 'base')];
  for (let own = 0; own <= upTo; own += 1) {
    for (const one of SLUG_TESTS[own] ?? [])
      tests.push(row(SLUG_FILE, one.title, stage === 'chain' || own === stage ? null : own));
  }
  return tests;
}

/** A twin of the first test of the suite's last stage. */
function suiteTwins(last: number, file: string): Suite['twins'] {
  const one = SLUG_TESTS[last]?.[0];
  if (one === undefined) return [];
  const text = sampleTestText(one, one.wrong);
  const nameStart = text.indexOf(one.title);
  return [
    {
      id: `twin-${last}-0`,
      file: SLUG_FILE,
      of: testId(keyOf(SLUG_FILE, one.title)),
      insertAt: Buffer.byteLength(file),
      text,
      nameStart,
      nameEnd: nameStart + one.title.length,
      naming: 'title',
      path: [one.title],
    },
  ];
}

async function writeSuite(folder: string, stage: number | 'chain', stages: number): Promise<Suite> {
  const layout = taskLayout(folder);
  const last = stage === 'chain' ? stages - 1 : stage;
  const state = sampleState(last + 1);
  const overlay = [SHOUT_FILE, SLUG_FILE];
  for (const path of overlay) await put(join(layout.suiteTests(stage), path), state[path] ?? '');
  await put(join(layout.suiteManifests(stage), 'package.json'), state['package.json'] ?? '');
  const content = {
    stage,
    runs: [
      {
        id: 'node',
        runner: 'node-test' as const,
        cwd: '',
        project: null,
        files: overlay,
        timeoutMs: 60_000,
        perTestTimeoutMs: 10_000,
      },
    ],
    tests: suiteTests(stage, stages),
    twins: suiteTwins(last, slugTestFile(last + 1)),
    quarantined: [],
    overlay,
    manifests: [{ path: 'package.json', format: 'json' as const, fields: [['scripts'], ['devDependencies']] }],
    setAside: ['^(?:.*/)?[^/]*\\.test\\.js$'],
    referenceSuspicions: [],
  };
  const suite: Suite = { ...content, gateDigest: '' };
  await put(layout.suite(stage), suiteDocument.print(suite));
  return suite;
}

async function writeSpec(folder: string, stage: number): Promise<void> {
  const layout = taskLayout(folder);
  const spec = SAMPLE_SPECS[stage];
  if (spec === undefined) return;
  await put(layout.requirement(stage), spec.requirement);
  await put(layout.contract(stage), spec.contract);
  const criteria = spec.criteria.map((one) => ({
    number: one.number,
    text: one.text,
    tests: one.tests.map((title) => testId(keyOf(SLUG_FILE, title))),
  }));
  await put(layout.criteria(stage), criteriaDocument.print({ stage, criteria }));
}

function sampleProvenance(states: string[], stages: number) {
  return {
    repository: 'sample/words',
    checkpoint: '0'.repeat(40),
    stages: Array.from({ length: stages }, (_, stage) => ({
      commits: [String(stage).repeat(40)],
      subjects: [SAMPLE_SPECS[stage]?.title ?? ''],
    })),
    states,
    removals: [],
    assertions: [],
  };
}

function sampleTask(suites: Suite[], environment: Environment, stages: number, options: MakeTaskOptions): Task {
  return {
    id: options.id ?? 'words-slug',
    title: 'Slugs',
    language: 'typescript',
    domain: 'text',
    source: {
      repo: 'sample/words',
      license: 'MIT',
      stars: null,
      checkpoint: '0'.repeat(40),
      canary: 'canary-words-slug',
    },
    stages: Array.from({ length: stages }, (_, stage) => {
      const tests = suites[stage]?.tests ?? [];
      return {
        title: SAMPLE_SPECS[stage]?.title ?? '',
        sourceLines: 5,
        testLines: 5,
        sourceFiles: 1,
        sharedFileShare: stage === 0 ? null : 1,
        f2p: tests.filter((one) => one.kind === 'f2p').length,
        p2p: tests.filter((one) => one.kind === 'p2p').length,
      };
    }),
    budgets: { stageMs: options.stageMs ?? 60_000 },
    runner: 'node-test',
    environment: environment.digest,
    protectedPaths: environment.owned,
    construction: [],
    publicDigest: '',
    gateDigest: '',
  };
}
