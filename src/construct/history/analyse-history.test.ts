import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentProgress } from '#kernel/events.js';
import { seededRandom } from '#kernel/random.js';
import { runProcess } from '#process/index.js';
import { type CommitScript, type Entry, git, scriptHistory } from '../../../test/support/script-history.js';
import { analyseHistory } from './analyse-history.js';
import { versionAt } from './assemble/plan-pairs.js';
import { FactsCache } from './facts/facts-cache.js';
import { versionKey } from './facts/facts-job.js';
import { configKey } from './facts/gather-configs.js';
import { IncrementalGraph, type TreeChange } from './graph/incremental-graph.js';
import type { History, HistoryCommit } from './history.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'history-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

let made = 0;

async function analysed(
  script: readonly CommitScript[],
  cacheFolder: string | null = null,
): Promise<History & { ids: string[] }> {
  made += 1;
  const gitDir = join(folder, `repository-${made}`);
  const ids = scriptHistory(gitDir, script);
  return { ...(await analyseHistory(gitDir, { cacheFolder, workers: 0 }, silentProgress)), ids };
}

function at(history: History & { ids: string[] }, mark: number): HistoryCommit {
  const commit = history.commits[history.indexOf.get(history.ids[mark] ?? '') ?? -1];
  if (commit === undefined) throw new Error(`no commit with mark ${mark}`);
  return commit;
}

const told = (commit: HistoryCommit): string[] =>
  commit.definitions.map(({ change, kind, qualifiedName }) => `${change} ${kind} ${qualifiedName}`).sort();

const CLASS = (body: string): string =>
  `class Group:\n    """Doc."""\n\n    def add(self, name):\n${body}\n    def get(self, name):\n        return self.items[name]\n`;

describe('changed definitions', () => {
  it('are told by the method, not by the class around it, and layout or comments are no change', async () => {
    const history = await analysed([
      { message: 'root', files: [['g.py', CLASS('        self.items[name] = 1\n')]] },
      { message: 'body', files: [['g.py', CLASS('        check(name)\n        self.items[name] = 1\n')]] },
      {
        message: 'comment',
        files: [['g.py', CLASS('        # why\n        check(name)\n\n        self.items[name] = 1\n')]],
      },
      {
        message: 'signature',
        files: [
          [
            'g.py',
            CLASS('        # why\n        check(name)\n\n        self.items[name] = 1\n').replace(
              '(self, name):\n        #',
              '(self, name, force=False):\n        #',
            ),
          ],
        ],
      },
    ]);
    expect(told(at(history, 1))).toEqual(['added class Group', 'added method Group.add', 'added method Group.get']);
    expect(told(at(history, 2))).toEqual(['body method Group.add']);
    expect([...at(history, 2).calls]).toEqual([['check', 1]]);
    expect(told(at(history, 3))).toEqual([]);
    expect(told(at(history, 4))).toEqual(['signature method Group.add']);
  });

  it('keep their key when the file is renamed and when they move to another file', async () => {
    const body = (name: string): string => `def ${name}(x):\n    return [x, x + 1, x + 2, x * 3]\n\n\n`;
    const history = await analysed([
      { message: 'root', files: [['a.py', body('first') + body('second')]] },
      {
        message: 'rename',
        files: [
          ['a.py', null],
          ['pkg/b.py', body('first') + body('second')],
        ],
      },
      {
        message: 'move',
        files: [
          ['pkg/b.py', body('first')],
          ['pkg/c.py', body('second')],
        ],
      },
      { message: 'change', files: [['pkg/c.py', body('second').replace('x * 3', 'x * 4')]] },
    ]);
    const keyAt = (mark: number): string | undefined =>
      at(history, mark).definitions.find(({ name }) => name === 'second')?.key;
    expect(told(at(history, 2))).toEqual([]);
    expect(told(at(history, 3))).toEqual(['moved function second']);
    expect(told(at(history, 4))).toEqual(['body function second']);
    expect(keyAt(4)).toBe(keyAt(1));
    expect(history.lineages[at(history, 1).changes[0]?.lineage ?? -1]?.paths).toEqual(['a.py', 'pkg/b.py']);
  });

  it('of test suites are their titled cases', async () => {
    const suite = (inner: string): string =>
      `import { Hono } from './hono'\n\ndescribe('routes', () => {\n${inner}})\n`;
    const first = `  it('finds a path', () => {\n    expect(new Hono().get('/')).toBe(1)\n  })\n`;
    const history = await analysed([
      {
        message: 'root',
        files: [
          ['src/hono.ts', 'export class Hono {}\n'],
          ['src/hono.test.ts', suite(first)],
        ],
      },
      {
        message: 'more',
        files: [
          [
            'src/hono.test.ts',
            suite(`${first}\n  it("finds two", () => {\n    expect(new Hono().all()).toBe(2)\n  })\n`),
          ],
        ],
      },
    ]);
    expect(
      at(history, 2)
        .definitions.filter(({ change }) => change === 'added')
        .map(({ name, kind }) => [name, kind]),
    ).toEqual([['finds two', 'test']]);
    expect(at(history, 1).importsAdded).toMatchObject([
      { specifier: './hono', names: ['Hono'], targets: ['src/hono.ts'] },
    ]);
    expect(history.graph.edges).toEqual(new Map([['src/hono.test.ts', ['src/hono.ts']]]));
  });

  it('of a merge are only what the merge itself wrote', async () => {
    const f = (body: string): string => `def f():\n    return ${body}\n\n\n`;
    const g = (body: string): string => `def g():\n    return ${body}\n`;
    const history = await analysed([
      { message: 'root', files: [['m.py', f('1') + g('1')]] },
      { message: 'main', files: [['m.py', f('2') + g('1')]] },
      { message: 'branch', parents: [1], files: [['m.py', f('1') + g('2')]] },
      { message: 'Merge clean', parents: [2, 3], files: [['m.py', f('2') + g('2')]] },
      { message: 'branch again', parents: [4], files: [['n.py', 'x = 1\n']] },
      { message: 'main again', parents: [4], files: [['o.py', 'y = 1\n']] },
      {
        message: 'Merge evil',
        parents: [6, 5],
        files: [
          ['n.py', 'x = 1\n'],
          ['m.py', f('2') + g('3')],
        ],
      },
    ]);
    expect(told(at(history, 4))).toEqual([]);
    expect(told(at(history, 7))).toEqual(['body function g']);
    expect(at(history, 7).changes.map(({ path }) => path)).toEqual(['m.py', 'n.py']);
    expect(at(history, 7).ownChanges).toEqual([0]);
  });
});

describe('change groups', () => {
  it('are merges with their branch, squashed pull requests, and neighbours of one purpose', async () => {
    const history = await analysed([
      {
        message: 'Initial commit',
        files: [
          ['src/a.py', 'def a():\n    return 1\n'],
          ['tests/test_a.py', 'def test_a():\n    assert a() == 1\n'],
        ],
      },
      {
        message: 'Add ranges',
        parents: [1],
        files: [['src/r.py', 'class Range:\n    def clamp(self, value):\n        return value\n']],
      },
      { message: 'Test ranges', files: [['tests/test_r.py', 'def test_clamp():\n    assert Range().clamp(1) == 1\n']] },
      {
        message: 'Merge pull request #7 from o/ranges\n\nNumeric ranges\n\nCloses #5',
        parents: [1, 3],
        files: [
          ['src/r.py', 'class Range:\n    def clamp(self, value):\n        return value\n'],
          ['tests/test_r.py', 'def test_clamp():\n    assert Range().clamp(1) == 1\n'],
        ],
      },
      {
        message: 'fix(range): clamp below zero (#9)\n\nFixes #8',
        files: [
          ['src/r.py', 'class Range:\n    def clamp(self, value):\n        return max(0, value)\n'],
          [
            'tests/test_r.py',
            'def test_clamp():\n    assert Range().clamp(1) == 1\n\ndef test_zero():\n    assert Range().clamp(-1) == 0\n',
          ],
        ],
      },
      { message: 'Added open helper', files: [['src/h.py', 'def open_it(path):\n    return path\n']] },
      { message: 'Fixed the helper for links', files: [['src/h.py', 'def open_it(path):\n    return str(path)\n']] },
    ]);
    expect(history.groups.map(({ kind, intent, title, commits }) => [kind, intent, title, commits.length])).toEqual([
      ['single', 'feature', 'Initial commit', 1],
      ['merge', 'feature', 'Numeric ranges', 3],
      ['squash', 'fix', 'fix(range): clamp below zero', 1],
      ['adjacent', 'feature', 'Added open helper', 2],
    ]);
    expect(history.groups[1]).toMatchObject({ references: { issues: [5, 7], closes: [5], pullRequest: 7 } });
    expect(history.groups[2]).toMatchObject({ references: { closes: [8], pullRequest: 9 } });
    expect(history.groups[2]?.tests).toEqual([expect.objectContaining({ name: 'test_zero', change: 'added' })]);
    expect(history.groups[3]?.definitions.map(({ change, name }) => [change, name])).toEqual([['added', 'open_it']]);
  });

  it('are what a rebase landed in one go, when somebody else wrote it, but not the update of dependencies before it', async () => {
    const rebased = (message: string, minutes: number, files: CommitScript['files']): CommitScript => ({
      message,
      files,
      author: 'Contributor <con@example.com>',
      at: 1_590_000_000 + minutes * 60,
      committedAt: 1_600_100_000,
    });
    const history = await analysed([
      {
        message: 'root',
        files: [
          ['src/lib.rs', 'pub fn a() {}\n'],
          ['Cargo.toml', '[package]\nname = "x"\n'],
        ],
      },
      rebased('Update dependencies', 0, [['Cargo.toml', '[package]\nname = "x"\nversion = "1.0.0"\n']]),
      rebased('Initial impl of --size', 10, [['src/size.rs', 'pub struct Size(u64);\n']]),
      rebased('Changes from review', 900, [['src/lib.rs', 'mod size;\npub fn a() {}\n']]),
      { message: 'Something of my own', files: [['src/own.rs', 'pub fn own() {}\n']] },
    ]);
    expect(history.groups.map(({ kind, commits }) => [kind, commits.length])).toEqual([
      ['single', 1],
      ['single', 1],
      ['landing', 2],
      ['single', 1],
    ]);
  });

  it('are the pull requests of a line of development that was merged, not the line', async () => {
    const f = (name: string): CommitScript['files'] => [[`src/${name}.py`, `def ${name}():\n    return 1\n`]];
    const history = await analysed([
      { message: 'root', files: f('root') },
      { message: 'feat: one (#1)', parents: [1], files: f('one') },
      { message: 'feat: two (#2)', files: f('two') },
      { message: 'Merge branch next', parents: [1, 3], files: [...f('one'), ...f('two')] },
    ]);
    expect(history.groups.map(({ kind, title, landedBy }) => [kind, title, landedBy])).toEqual([
      ['single', 'root', 0],
      ['squash', 'feat: one', 3],
      ['squash', 'feat: two', 3],
    ]);
  });

  it('are only those inside the asked window, with the graph of everything that stood when it opened', async () => {
    const script: CommitScript[] = [
      {
        message: 'root',
        files: [
          ['a.py', 'import b\n'],
          ['b.py', 'x = 1\n'],
        ],
      },
      { message: 'early', files: [['b.py', 'x = 2\n']] },
      {
        message: 'late',
        files: [
          ['c.py', 'import a\n'],
          ['docs/x.md', 'text'],
        ],
      },
      { message: 'later', files: [['docs/x.md', 'more']] },
    ];
    const gitDir = join(folder, 'window');
    scriptHistory(gitDir, script);
    const analyse = (options: object): Promise<History> =>
      analyseHistory(gitDir, { cacheFolder: null, workers: 0, ...options }, silentProgress);
    const newest = await analyse({ maxCommits: 2 });
    expect(newest.groups.map(({ title }) => title)).toEqual(['late', 'later']);
    expect(newest.graph.edges).toEqual(
      new Map([
        ['a.py', ['b.py']],
        ['c.py', ['a.py']],
      ]),
    );
    expect((await analyse({ paths: ['b.py'] })).groups.map(({ title }) => title)).toEqual(['root', 'early']);
    expect(
      (await analyse({ sinceMs: Date.parse(newest.commits[3]?.committedAt ?? '') })).groups.map(({ title }) => title),
    ).toEqual(['later']);
  });

  it('cancel with their reverts, and stand again when they are landed again', async () => {
    const base: [string, Entry] = ['a.py', 'def a():\n    return 1\n'];
    const more: [string, Entry] = ['b.py', 'def b():\n    return 2\n'];
    const first = await analysed([
      { message: 'root', files: [base] },
      { message: 'Add b (#3)', files: [more] },
      { message: 'Revert "Add b (#3)" (#4)', files: [['b.py', null]] },
    ]);
    expect(first.groups.map(({ revertedBy }) => revertedBy)).toEqual([null, 2, null]);
    const again = await analysed([
      { message: 'root', files: [base] },
      { message: 'Add b (#3)', files: [more] },
      { message: 'Revert "Add b (#3)" (#4)', files: [['b.py', null]] },
      { message: 'Reapply "Add b (#3)" (#5)', files: [more] },
    ]);
    expect(again.groups.map(({ revertedBy, relandOf }) => [revertedBy, relandOf])).toEqual([
      [null, null],
      [null, null],
      [3, null],
      [null, 1],
    ]);
  });

  it('take empty commits, only-binary commits and files of unknown languages without harm', async () => {
    const history = await analysed([
      {
        message: 'root',
        files: [
          ['image.png', Buffer.from([0, 1, 2, 255])],
          ['main.c', 'int main(void) { return 0; }\n'],
        ],
      },
      { message: 'nothing', files: [] },
      {
        message: 'broken',
        files: [
          ['x.py', 'def (:\n  "'],
          ['nul.py', Buffer.from('a = 1\0')],
          ['lfs.py', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'],
        ],
      },
    ]);
    expect(history.groups.map(({ commits }) => commits.length)).toEqual([1, 1]);
    expect(at(history, 3).problems.sort()).toEqual(['lfs.py: not parsed: lfs-pointer', 'nul.py: not parsed: binary']);
    expect(at(history, 3).changes.find(({ path }) => path === 'lfs.py')?.role).toBe('binary');
  });
});

const FILES: Record<string, string[]> = {
  'p/__init__.py': ['', 'from .a import f\n'],
  'p/a.py': ['def f():\n    pass\n', 'from . import b\n', 'import q\n'],
  'p/b.py': ['import p.a\n', 'x = 1\n'],
  'q.py': ['from p import a, b\n'],
  'package.json': ['{"name": "w"}', '{"name": "v", "main": "s/b.ts"}'],
  's/a.ts': ["import { b } from './b'\n", "import v from 'v'\n", 'export const a = 1\n'],
  's/b.ts': ["import './a'\n", 'export const b = 2\n'],
  's/b/index.ts': ['export const b = 3\n'],
  'Cargo.toml': ['[package]\nname = "r"\n'],
  'src/lib.rs': ['mod m;\n', 'pub fn f() {}\n'],
  'src/m.rs': ['use crate::m::n::x;\nmod n;\n', 'use super::f;\n'],
  'src/m/n.rs': ['pub fn x() {}\n'],
  'go.mod': ['module e.org/g\n'],
  'g/a.go': ['package g\n\nimport "e.org/g/h"\n', 'package g\n'],
  'h/b.go': ['package h\n'],
  'h/b_test.go': ['package h\n\nimport "e.org/g/g"\n'],
};

const fileEdits = fc
  .constantFrom(...Object.keys(FILES))
  .chain((path) => fc.constantFrom(null, ...(FILES[path] ?? [])).map((text): [string, Entry] => [path, text]));

const scripts: fc.Arbitrary<CommitScript[]> = fc
  .array(fc.record({ files: fc.array(fileEdits, { maxLength: 6 }), picks: fc.array(fc.nat(), { maxLength: 2 }) }), {
    minLength: 2,
    maxLength: 12,
  })
  .map((raws) =>
    raws.map(({ files, picks }, index) => ({
      message: `commit ${index}`,
      files,
      parents:
        index === 0
          ? []
          : [
              ...new Set([
                ...picks.slice(0, 1).map((pick) => (pick % index) + 1),
                index,
                ...picks.map((pick) => (pick % index) + 1),
              ]),
            ],
    })),
  );

describe('the module graph through a history', () => {
  it('equals, at every commit, the graph built from nothing out of the tree that git lists', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const cacheFolder = await mkdtemp(join(folder, 'cache-'));
        const history = await analysed(script, cacheFolder);
        await expectGraphs(history, await FactsCache.open(cacheFolder), history.commits);
      }),
      { numRuns: 12 },
    );
  });

  for (const name of ['pallets+click', 'honojs+hono', 'sharkdp+fd', 'go-chi+chi']) {
    const repository = join(process.env.FEATUREARC_REPOS ?? '/nowhere', name, 'repo');
    it.skipIf(!existsSync(repository))(
      `equals it at commits drawn from ${name} (needs FEATUREARC_REPOS)`,
      async () => {
        const cacheFolder = join(folder, `cache-${name}`);
        const history = await analyseHistory(repository, { cacheFolder, workers: 0 }, silentProgress);
        const random = seededRandom('graph samples');
        const drawn = history.commits.filter(() => random.next() < 25 / history.commits.length);
        await expectGraphs(history, await FactsCache.open(cacheFolder), drawn);
      },
      600_000,
    );
  }
});

/** Edges summed up along first parents against a fresh graph of the listed tree. */
async function expectGraphs(history: History, cache: FactsCache, commits: readonly HistoryCommit[]): Promise<void> {
  for (const commit of commits) {
    const summed = new Set<string>();
    const line: HistoryCommit[] = [];
    for (let step: HistoryCommit | undefined = commit; step !== undefined; step = history.commits[step.firstParent])
      line.push(step);
    for (const { graphChanges } of line.reverse())
      for (const { from, to, change } of graphChanges) {
        if (change === 'added') summed.add(`${from}>${to}`);
        else summed.delete(`${from}>${to}`);
      }
    const fresh = new IncrementalGraph();
    fresh.apply(listedTree(history.gitDir, commit.id, cache));
    expect([...summed].sort()).toEqual(
      [...fresh.edges()].flatMap(([from, targets]) => targets.map((to) => `${from}>${to}`)).sort(),
    );
  }
}

function listedTree(gitDir: string, commit: string, cache: FactsCache): TreeChange[] {
  const lines = git(gitDir, ['ls-tree', '-r', '-z', commit])
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '');
  return lines.flatMap((line) => {
    const [mode = '', , blob = ''] = line.slice(0, line.indexOf('\t')).split(' ');
    const path = line.slice(line.indexOf('\t') + 1);
    if (mode === '160000') return [];
    const version = mode === '120000' ? null : versionAt(path, 'file', blob);
    const imports = version === null ? null : (cache.blobs.get(versionKey(version))?.imports ?? null);
    return [{ path, now: { imports, config: cache.configs.get(configKey(path, blob)) ?? null } }];
  });
}

describe('the cache', () => {
  it('gives the same history again without parsing, and takes a longer one from where it was', async () => {
    const script: CommitScript[] = [
      {
        message: 'root',
        files: [
          ['a.py', 'import b\n\ndef a():\n    return 1\n'],
          ['b.py', 'x = 1\n'],
        ],
      },
      { message: 'two', files: [['a.py', 'import b\n\ndef a():\n    return 2\n']] },
      { message: 'three', files: [['c.py', 'from a import a\n']] },
    ];
    const cacheFolder = join(folder, 'cache-again');
    const cold = await analysed(script, cacheFolder);
    expect(cold.figures.parsedVersions).toBe(4);
    const warm = await analysed(script, cacheFolder);
    expect(warm.figures.parsedVersions).toBe(0);
    expect({ ...warm, gitDir: '', figures: null }).toEqual({ ...cold, gitDir: '', figures: null });
    const longer = await analysed([...script, { message: 'four', files: [['d.py', 'import c\n']] }], cacheFolder);
    expect(longer.figures.parsedVersions).toBe(1);
    expect(longer.commits.slice(0, 3)).toEqual(cold.commits);
  });

  it('is filled by two analyses at once without loss', async () => {
    const script: CommitScript[] = [{ message: 'root', files: [['a.py', 'def a():\n    return 1\n']] }];
    const cacheFolder = join(folder, 'cache-two');
    const [one, two] = await Promise.all([analysed(script, cacheFolder), analysed(script, cacheFolder)]);
    expect(one.commits).toEqual(two.commits);
    expect((await analysed(script, cacheFolder)).figures.parsedVersions).toBe(0);
    expect((await readdir(join(cacheFolder, 'facts-2'))).every((name) => name.endsWith('.jsonl'))).toBe(true);
  });
});

describe('worker threads', () => {
  const compiled = join(import.meta.dirname, '../../../dist/construct/history/index.js');
  it.skipIf(!existsSync(compiled))(
    'give the same history as the main thread (needs the compiled program)',
    async () => {
      const gitDir = join(folder, 'workers');
      const script = Array.from(
        { length: 90 },
        (_, index): CommitScript => ({
          message: `c ${index}`,
          files: [[`d${index % 9}.py`, `def f${index % 4}():\n    return ${index}\n`]],
        }),
      );
      scriptHistory(gitDir, script);
      const program = `
      const { analyseHistory } = await import(${JSON.stringify(compiled)});
      const [one, two] = await Promise.all([0, 2].map((workers) => analyseHistory(${JSON.stringify(gitDir)}, { cacheFolder: null, workers }, () => {})));
      const text = (history) => JSON.stringify(history.commits.map(({ definitions, changes }) => [definitions, changes]));
      if (text(one) !== text(two) || one.figures.parsedVersions < 60) process.exit(1);
    `;
      const { exitCode, stderr } = await runProcess({
        argv: [process.execPath, '--input-type=module', '-e', program],
        env: { PATH: process.env.PATH ?? '' },
      });
      expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: '' });
    },
  );
});

describe('what cannot be analysed', () => {
  it('is told by what is wrong: no repository, no commit, no such revision', async () => {
    await expect(analyseHistory(folder, { cacheFolder: null }, silentProgress)).rejects.toMatchObject({
      code: 'not-a-repository',
    });
    const empty = join(folder, 'empty');
    git(folder, ['init', '-q', '--bare', empty]);
    await expect(analyseHistory(empty, { cacheFolder: null }, silentProgress)).rejects.toMatchObject({
      code: 'repository-empty',
      kind: 'input',
    });
    const { gitDir } = await analysed([{ message: 'root', files: [['a', '1']] }]);
    await expect(analyseHistory(gitDir, { cacheFolder: null, head: 'nothing' }, silentProgress)).rejects.toMatchObject({
      code: 'revision-unknown',
    });
  });
});
