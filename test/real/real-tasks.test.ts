import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readResults } from '#documents/read-results.js';
import { cacheRoot, makeTemporaryFolder, openTaskPackage } from '#store/index.js';
import { featurearc } from '../support/command-line.js';

/** A folder with whole clones of public repositories: DIR/click, DIR/click.git or DIR/pallets+click/repo. */
const REPOSITORIES = process.env.FEATUREARC_REPOS ?? '/nonexistent';

const HOURS = 3 * 3_600_000;

/** Caches of environments stay where a user has them: an installation is made once for all tests that need it. */
const HOME = cacheRoot();

interface RealFeature {
  repository: string;
  name: string;
  /** The commits of each stage, parted by commas. */
  stages: string[];
  /** Further options of `build`. */
  options: string[];
}

const FEATURES: RealFeature[] = [
  {
    repository: 'pallets/click',
    name: 'click-choice',
    stages: ['c1b34978f1,89e74e8fae,1a714b3d2c', 'b964c1e2cb,5eb46cba46', '4ece17a107'],
    options: ['--license', 'BSD-3-Clause'],
  },
  {
    repository: 'honojs/hono',
    name: 'hono-trailing-slash',
    stages: ['97ffa62afd', '034223f1bf', 'f23e97b7f3'],
    // All of its test files take minutes, each in a process of its own.
    options: ['--license', 'MIT', '--whole-suite', '30s'],
  },
];

function cloneOf(repository: string): string | null {
  const [owner = '', name = ''] = repository.split('/');
  const names = [join(`${owner}+${name}`, 'repo'), join(owner, name), name, `${name}.git`];
  return names.map((place) => join(REPOSITORIES, place)).find((place) => existsSync(place)) ?? null;
}

describe.each(FEATURES)('$name of $repository', ({ repository, name, stages, options }) => {
  const clone = cloneOf(repository);
  let folder: string;
  let task: string;

  beforeAll(async () => {
    if (clone === null) return;
    folder = await makeTemporaryFolder('real');
    const out = join(folder, 'tasks');
    const built = await featurearc(
      [
        'build',
        clone,
        '--id',
        name,
        '--repo',
        repository,
        '--out',
        out,
        ...options,
        ...stages.flatMap((one) => ['--stage', one]),
      ],
      { home: HOME },
    );
    expect(built.exitCode, built.stderr).toBe(0);
    task = join(out, name);
  }, HOURS);
  afterAll(async () => {
    if (clone !== null) await rm(folder, { recursive: true, force: true });
  });

  it.skipIf(clone === null)(
    'has tests to fail and tests to keep at every stage (needs its clone in FEATUREARC_REPOS)',
    async () => {
      const opened = await openTaskPackage(task);
      for (const stage of stages.keys()) {
        const suite = opened.suite(stage);
        expect(suite.tests.filter(({ kind }) => kind === 'f2p').length).toBeGreaterThan(0);
        expect(suite.tests.filter(({ kind }) => kind === 'p2p').length).toBeGreaterThan(10);
      }
    },
  );

  it.skipIf(clone === null)(
    'is admitted (needs its clone in FEATUREARC_REPOS)',
    async () => {
      const checked = await featurearc(['check', task], { home: HOME });
      expect(checked.exitCode, checked.stdout + checked.stderr).toBe(0);
    },
    HOURS,
  );

  it.skipIf(clone === null).each(['bwrap', 'docker'])(
    'is passed by the oracle and failed by a no-op in %s (needs its clone in FEATUREARC_REPOS)',
    async (sandbox) => {
      const file = join(folder, `${sandbox}.yaml`);
      await writeFile(
        file,
        `name: real\ntasks: [${JSON.stringify(task)}]\nagents: [{name: oracle, scaffold: oracle}, {name: nop, scaffold: nop}]\nsandbox: {kind: ${sandbox}}\n`,
      );
      const runs = join(folder, sandbox);
      const ran = await featurearc(['run', file, '--out', runs], { home: HOME });
      expect(ran.exitCode, ran.stderr).toBe(0);
      const { lines } = await readResults(await readFile(join(runs, 'results.jsonl'), 'utf8'), 'results.jsonl');
      const verdicts = lines.flatMap(({ value: line }) =>
        line.kind === 'stage'
          ? [{ agent: line.agent, f2p: line.f2p, p2p: line.agent === 'nop' ? null : line.p2p }]
          : [],
      );
      const expected = [
        ...stages.map(() => ({ agent: 'oracle', f2p: true, p2p: true })),
        ...stages.map(() => ({ agent: 'nop', f2p: false, p2p: null })),
      ];
      expect(verdicts).toHaveLength(expected.length);
      expect(verdicts).toEqual(expect.arrayContaining(expected));
    },
    HOURS,
  );
});
