import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentProgress } from '#kernel/events.js';
import { seededRandom } from '#kernel/random.js';
import { runProcess } from '#process/index.js';
import { analyseScript, commitAt } from '../../../test/support/analyse-script.js';
import { type CommitScript, type Entry, git, scriptHistory } from '../../../test/support/script-history.js';
import { analyseHistory } from './analyse-history.js';
import { versionAt } from './assemble/plan-pairs.js';
import { FACTS_VERSION, FactsCache } from './facts/facts-cache.js';
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

const told = (commit: HistoryCommit): string[] =>
  commit.definitions.map(({ change, kind, qualifiedName }) => `${change} ${kind} ${qualifiedName}`).sort();

const CLASS = (body: string): string =>
  `class Group:\n    """Doc."""\n\n    def add(self, name):\n${body}\n    def get(self, name):\n        return self.items[name]\n`;

describe('changed definitions', () => {
  it('are told by the method, not by the class around it, and layout or comments are no change', async () => {
    const history = await analyseScript(folder, [
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
    expect(told(commitAt(history, 1))).toEqual([
      'added class Group',
      'added method Group.add',
      'added method Group.get',
    ]);
    expect(told(commitAt(history, 2))).toEqual(['body method Group.add']);
    expect([...commitAt(history, 2).calls]).toEqual([['check', 1]]);
    expect(told(commitAt(history, 3))).toEqual([]);
    expect(told(commitAt(history, 4))).toEqual(['signature method Group.add']);
  });

  it('keep their key when the file is renamed and when they move to another file', async () => {
    const body = (name: string): string => `def ${name}(x):\n    return [x, x + 1, x + 2, x * 3]\n\n\n`;
    const history = await analyseScript(folder, [
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
      commitAt(history, mark).definitions.find(({ name }) => name === 'second')?.key;
    expect(told(commitAt(history, 2))).toEqual([]);
    expect(told(commitAt(history, 3))).toEqual(['moved function second']);
    expect(told(commitAt(history, 4))).toEqual(['body function second']);
    expect(keyAt(4)).toBe(keyAt(1));
    expect(history.lineages[commitAt(history, 1).changes[0]?.lineage ?? -1]?.paths).toEqual(['a.py', 'pkg/b.py']);
  });

  it('of test suites are their titled cases', async () => {
    const suite = (inner: string): string =>
      `import { Hono } from './hono'\n\ndescribe('routes', () => {\n${inner}})\n`;
    const first = `  it('finds a path', () => {\n    expect(new Hono().get('/')).toBe(1)\n  })\n`;
    const history = await analyseScript(folder, [
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
      commitAt(history, 2)
        .definitions.filter(({ change }) => change === 'added')
        .map(({ name, kind }) => [name, kind]),
    ).toEqual([['finds two', 'test']]);
    expect(commitAt(history, 1).importsAdded).toMatchObject([
      { specifier: './hono', names: ['Hono'], targets: ['src/hono.ts'] },
    ]);
    expect(history.graph.edges).toEqual(new Map([['src/hono.test.ts', ['src/hono.ts']]]));
  });

  it('of a merge are only what the merge itself wrote', async () => {
    const f = (body: string): string => `def f():\n    return ${body}\n\n\n`;
    const g = (body: string): string => `def g():\n    return ${body}\n`;
    const history = await analyseScript(folder, [
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
    expect(told(commitAt(history, 4))).toEqual([]);
    expect(told(commitAt(history, 7))).toEqual(['body function g']);
    expect(commitAt(history, 7).changes.map(({ path }) => path)).toEqual(['m.py', 'n.py']);
    expect(commitAt(history, 7).ownChanges).toEqual([0]);
  });
});

describe('a clean merge of two sides that changed one function', () => {
  const run = (first: string, last: string): string =>
    `def run(items):\n${first}    found = search(items)\n    keep = items[0]\n    rest = items[1:]\n    show(keep, rest)\n${last}    return found\n`;

  it('adds no line, name or call of its own, so its branch is not credited with the other side', async () => {
    const [hush, tell] = ['    silence = HushedResult(items)\n', '    report_progress(found)\n'];
    const history = await analyseScript(folder, [
      { message: 'root', files: [['m.py', run('', '')]] },
      { message: 'Hush', files: [['m.py', run(hush, '')]] },
      { message: 'Report', parents: [1], files: [['m.py', run('', tell)]] },
      { message: 'Merge branch report', parents: [2, 3], files: [['m.py', run(hush, tell)]] },
    ]);
    const merge = commitAt(history, 4);
    expect([...merge.identifiers.keys(), ...merge.calls.keys()]).not.toContain('HushedResult');
    expect(merge.reworked).toEqual(new Map());
    const group = history.groups.find(({ commitIndexes }) => commitIndexes.includes(merge.index));
    expect(group?.files.map(({ path, addedLines }) => [path, addedLines])).toEqual([['m.py', 1]]);
    expect([...(group?.identifiers.keys() ?? [])]).not.toContain('HushedResult');
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

describe('whose lines a commit takes away', () => {
  const TOTAL = 'def total(items):\n    return sum(items)\n\n\n';
  const mean = (body: string): string => `def mean(items):\n    return ${body}\n`;

  it("is told by commit and by group, through renames; short lines and lines that only move are nobody's", async () => {
    const history = await analyseScript(folder, [
      { message: 'Add total', files: [['stats.py', TOTAL]] },
      { message: 'Add mean', files: [['stats.py', `${TOTAL}${mean('total(items) / len(items)')}`]] },
      {
        message: 'Move to numbers',
        files: [
          ['stats.py', null],
          ['numbers.py', `${mean('total(items) / len(items)')}\n\n${TOTAL}`],
        ],
      },
      {
        message: 'Let mean take nothing',
        files: [['numbers.py', `${mean('total(items) / max(1, len(items))')}\n\n${TOTAL}`]],
      },
    ]);
    const at = (mark: number): number => commitAt(history, mark).index;
    expect(commitAt(history, 2).reworked).toEqual(new Map());
    expect(commitAt(history, 3).reworked).toEqual(new Map());
    expect(commitAt(history, 4).reworked).toEqual(new Map([[at(2), 1]]));
    const groupOf = (mark: number) => history.groups.find(({ commitIndexes }) => commitIndexes.includes(at(mark)));
    const [earlier, later] = [groupOf(2), groupOf(4)];
    if (earlier !== later) expect(later?.reworked).toEqual(new Map([[earlier?.index, 1]]));
  });
});

describe('the module graph through a history', () => {
  it('equals, at every commit, the graph built from nothing out of the tree that git lists', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const cacheFolder = await mkdtemp(join(folder, 'cache-'));
        const history = await analyseScript(folder, script, cacheFolder);
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
    const cold = await analyseScript(folder, script, cacheFolder);
    expect(cold.figures.parsedVersions).toBe(4);
    const warm = await analyseScript(folder, script, cacheFolder);
    expect(warm.figures.parsedVersions).toBe(0);
    expect({ ...warm, gitDir: '', figures: null }).toEqual({ ...cold, gitDir: '', figures: null });
    const longer = await analyseScript(
      folder,
      [...script, { message: 'four', files: [['d.py', 'import c\n']] }],
      cacheFolder,
    );
    expect(longer.figures.parsedVersions).toBe(1);
    expect(longer.commits.slice(0, 3)).toEqual(cold.commits);
  });

  it('parses again what was damaged, whatever bit of it', async () => {
    const script: CommitScript[] = [{ message: 'one', files: [['a.py', 'def fine():\n    return 1\n']] }];
    const cacheFolder = join(folder, 'cache-damaged');
    const first = await analyseScript(folder, script, cacheFolder);
    await rm(join(cacheFolder, 'results'), { recursive: true });
    const [name = ''] = await readdir(join(cacheFolder, `facts-${FACTS_VERSION}`));
    const shard = join(cacheFolder, `facts-${FACTS_VERSION}`, name);
    const text = await readFile(shard, 'utf8');
    await writeFile(shard, text.replaceAll('fine', 'fins').replaceAll('"titles"', '"tittles"'));
    const again = await analyseScript(folder, script, cacheFolder);
    expect(again.commits).toEqual(first.commits);
    expect(again.figures.parsedVersions).toBeGreaterThan(0);
  });

  it('keeps what an interrupted run has parsed', async () => {
    const script = Array.from(
      { length: 100 },
      (_, index): CommitScript => ({ message: `c ${index}`, files: [[`f${index}.py`, `x = ${index}\n`]] }),
    );
    const cacheFolder = join(folder, 'cache-interrupted');
    const { gitDir } = await analyseScript(folder, script);
    const interrupt = new AbortController();
    const run = analyseHistory(
      gitDir,
      { cacheFolder, workers: 0 },
      (event) => {
        if (event.kind === 'step-advanced' && event.step === 'parse changed files') interrupt.abort();
      },
      interrupt.signal,
    );
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    const resumed = await analyseHistory(gitDir, { cacheFolder, workers: 0 }, silentProgress);
    expect(resumed.figures.parsedVersions).toBeGreaterThan(0);
    expect(resumed.figures.parsedVersions).toBeLessThan(100);
  });

  it('is filled by two analyses at once without loss', async () => {
    const script: CommitScript[] = [{ message: 'root', files: [['a.py', 'def a():\n    return 1\n']] }];
    const cacheFolder = join(folder, 'cache-two');
    const [one, two] = await Promise.all([
      analyseScript(folder, script, cacheFolder),
      analyseScript(folder, script, cacheFolder),
    ]);
    expect(one.commits).toEqual(two.commits);
    expect((await analyseScript(folder, script, cacheFolder)).figures.parsedVersions).toBe(0);
    expect((await readdir(join(cacheFolder, `facts-${FACTS_VERSION}`))).every((name) => name.endsWith('.jsonl'))).toBe(
      true,
    );
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
      const file = join(folder, 'workers.mjs');
      await writeFile(file, program);
      const { exitCode, stderr } = await runProcess({
        argv: [process.execPath, file],
        env: { PATH: process.env.PATH ?? '' },
      });
      expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: '' });
    },
  );
});

describe('the source repository', () => {
  it('is left as it was, also when it is a linked worktree', async () => {
    const { gitDir } = await analyseScript(folder, [
      { message: 'root', files: [['a.py', 'x = 1\n']] },
      { message: 'next', files: [['a.py', 'x = 2\n']] },
    ]);
    const linked = join(folder, 'linked-worktree');
    git(gitDir, ['worktree', 'add', '-q', '--detach', linked, 'main~1']);
    const before = (await readdir(gitDir, { recursive: true })).sort();
    const history = await analyseHistory(linked, { cacheFolder: null, workers: 0 }, silentProgress);
    expect(history.commits.map(({ subject }) => subject)).toEqual(['root']);
    expect((await readdir(gitDir, { recursive: true })).sort()).toEqual(before);
    expect(await readdir(linked)).toEqual(['.git', 'a.py']);
  });
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
    const { gitDir } = await analyseScript(folder, [{ message: 'root', files: [['a', '1']] }]);
    await expect(analyseHistory(gitDir, { cacheFolder: null, head: 'nothing' }, silentProgress)).rejects.toMatchObject({
      code: 'revision-unknown',
    });
  });
});
