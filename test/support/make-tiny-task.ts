import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { criteriaDocument } from '#documents/criteria.js';
import { type Environment, environmentDocument } from '#documents/environment.js';
import { taskLayout } from '#documents/layout.js';
import { provenanceDocument, validationDocument } from '#documents/provenance.js';
import { type Suite, type SuiteTest, suiteDocument } from '#documents/suite.js';
import { taskDocument } from '#documents/task.js';
import { type TestKey, testId } from '#documents/test-identity.js';
import { createRepository, keyOfText, type TreeFiles } from '#git/index.js';
import { sealTaskFolder } from '#store/index.js';
import { runnerNamed } from '#testbed/index.js';
import type { TinyFeature } from './tiny-feature.js';

export interface TinyTaskOptions {
  feature: TinyFeature;
  environment: Environment;
  timeoutMs?: number;
  perTestTimeoutMs?: number;
}

/**
 * Writes a one-stage task package for any runner into an empty folder: S_0 with the base functions, S_1 with what the
 * stage adds, hidden tests in one old and two new files, a twin of every test.
 * @returns the folder
 */
export async function makeTinyTask(folder: string, options: TinyTaskOptions): Promise<string> {
  const { feature, environment } = options;
  const layout = taskLayout(folder);
  await mkdir(layout.private, { recursive: true });
  await put(layout.environment, environmentDocument.print(environment));
  const states = await writeStates(folder, feature);
  for (const stage of [0, 'chain'] as const) await writeSuite(folder, stage, options);
  const f2p = tinyTests(feature).filter((test) => test.kind === 'f2p');
  await put(layout.requirement(0), '# More of calc\n\n1. Lists are scaled and totalled, numbers labelled.\n');
  await put(layout.contract(0), '# Contract\n\n- `scale`, `label`, `total`\n');
  const criteria = [
    { number: 1, text: 'Lists are scaled and totalled, numbers labelled.', tests: f2p.map(({ id }) => id) },
  ];
  await put(layout.criteria(0), criteriaDocument.print({ stage: 0, criteria }));
  await put(
    layout.provenance,
    provenanceDocument.print({
      ...{ repository: 'tiny', checkpoint: '0'.repeat(40), states, removals: [], assertions: [] },
      stages: [{ commits: ['0'.repeat(40)], subjects: ['more'] }],
    }),
  );
  const observed = { environment: environment.digest, sandbox: 'local', tools: {}, observations: [] };
  await put(layout.validation, validationDocument.print(observed));
  await put(
    layout.document,
    taskDocument.print({
      ...{ id: `tiny-${feature.runner}`, title: 'More of calc', domain: null, runner: feature.runner },
      language: feature.runner === 'pytest' ? 'python' : 'typescript',
      source: { repo: 'tiny', license: null, stars: null, checkpoint: '0'.repeat(40), canary: 'canary' },
      stages: [
        { title: 'more', sourceLines: 9, testLines: 9, sourceFiles: 1, sharedFileShare: null, f2p: f2p.length, p2p: 2 },
      ],
      budgets: { stageMs: 60_000 },
      environment: environment.digest,
      protectedPaths: environment.owned,
      ...{ construction: [], publicDigest: '', gateDigest: '' },
    }),
  );
  await sealTaskFolder(folder);
  return folder;
}

/** All files of S_0 or S_1. */
export function tinyState(feature: TinyFeature, state: 0 | 1): Record<string, string> {
  const testFiles = state === 0 ? [feature.baseFile] : [feature.baseFile, ...feature.newFiles];
  const tests = testFiles.map((file) => [file, feature.fileOf(feature.tests[file] ?? [], state)]);
  return {
    ...feature.fixed,
    [feature.source]: state === 0 ? feature.base : feature.grown,
    ...Object.fromEntries(tests),
  };
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

async function writeStates(folder: string, feature: TinyFeature): Promise<string[]> {
  const layout = taskLayout(folder);
  const gitDir = join(folder, '.making.git');
  const repository = await createRepository(gitDir);
  const trees: string[] = [];
  for (const state of [0, 1] as const) {
    const files: TreeFiles = new Map();
    for (const [path, text] of Object.entries(tinyState(feature, state)))
      files.set(keyOfText(path), { mode: '100644', oid: await repository.writeBlob(Buffer.from(text)) });
    const tree = await repository.writeTree(files);
    const commit = await repository.writeCommit({ tree, message: 'Initial state' });
    await repository.git({ args: ['update-ref', `refs/states/${state}`, commit] });
    if (state === 0) await repository.git({ args: ['update-ref', 'refs/heads/main', commit] });
    trees.push(tree);
  }
  await repository.git({ args: ['bundle', 'create', '-q', layout.bundle, 'refs/heads/main'] });
  await repository.git({ args: ['bundle', 'create', '-q', layout.states, '--glob=refs/states/*'] });
  await repository.close();
  await rm(gitDir, { recursive: true });
  return trees;
}

function tinyTests(feature: TinyFeature): SuiteTest[] {
  return Object.entries(feature.tests).flatMap(([file, tests]) =>
    tests.map((test) => {
      const old = file === feature.baseFile;
      const key: TestKey = { runner: feature.runner, project: null, file, path: [test.name], ordinal: 0 };
      return {
        ...{ id: testId(key), key, run: 'main', kind: old ? ('p2p' as const) : ('f2p' as const) },
        ...{ why: old ? null : ('new' as const), since: old ? ('base' as const) : null },
        ...{ validThrough: 1, durationMs: 1 },
      };
    }),
  );
}

function tinyTwins(feature: TinyFeature): Suite['twins'] {
  return Object.entries(feature.tests).flatMap(([file, tests]) => {
    const content = feature.fileOf(tests, 1);
    return tests.map((test) => {
      const original = feature.testText(test);
      const text = feature.testText(test, test.wrong);
      const nameStart = text.indexOf(test.name);
      return {
        ...{ id: `~${file}~${test.name}`, file, text, nameStart, nameEnd: nameStart + test.name.length },
        of: testId({ runner: feature.runner, project: null, file, path: [test.name], ordinal: 0 }),
        insertAt: content.indexOf(original) + original.length,
        ...{ naming: feature.naming, path: [test.name] },
      };
    });
  });
}

async function writeSuite(folder: string, stage: number | 'chain', options: TinyTaskOptions): Promise<void> {
  const { feature, timeoutMs = 20_000, perTestTimeoutMs = 2_000 } = options;
  const layout = taskLayout(folder);
  const runner = runnerNamed(feature.runner);
  const state = tinyState(feature, 1);
  const overlay = Object.keys(feature.tests);
  for (const path of overlay) await put(join(layout.suiteTests(stage), path), state[path] ?? '');
  const manifests = Object.entries(runner.steeringFields).filter(([path]) => state[path] !== undefined);
  for (const [path] of manifests) await put(join(layout.suiteManifests(stage), path), state[path] ?? '');
  const suite: Suite = {
    ...{ stage, gateDigest: '', overlay, quarantined: [] },
    runs: [
      {
        ...{ id: 'main', runner: feature.runner, cwd: '', project: null, files: overlay },
        ...{ timeoutMs, perTestTimeoutMs },
      },
    ],
    tests: tinyTests(feature),
    twins: tinyTwins(feature),
    manifests: manifests.map(([path, { format, fields }]) => ({ path, format, fields: fields.map((one) => [...one]) })),
    setAside: runner.testFilePatterns.map((pattern) => pattern.source),
    referenceSuspicions: [],
  };
  await put(layout.suite(stage), suiteDocument.print(suite));
}
