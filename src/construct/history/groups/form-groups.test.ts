import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentProgress } from '#kernel/events.js';
import { analyseScript, commitAt } from '../../../../test/support/analyse-script.js';
import { type CommitScript, type Entry, scriptHistory } from '../../../../test/support/script-history.js';
import { analyseHistory } from '../analyse-history.js';
import type { History } from '../history.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groups-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('change groups', () => {
  it('are merges with their branch, squashed pull requests, and neighbours of one purpose', async () => {
    const history = await analyseScript(folder, [
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

  it('are two where one author adds two things that belong together in code, unless the titles name one thing', async () => {
    const names = ['Range', 'OpenRange', 'LazyFile'];
    const source = (count: number): [string, Entry] => [
      'src/r.py',
      names
        .slice(0, count)
        .map((name) => `class ${name}:\n    def clamp(self):\n        return Range()\n`)
        .join('\n'),
    ];
    const history = await analyseScript(folder, [
      { message: 'Initial commit', files: [['src/a.py', 'def a():\n    return 1\n']] },
      { message: 'Added ranges', files: [source(1)] },
      { message: 'Added open bounds for ranges', files: [source(2)] },
      { message: 'Added lazy files', files: [source(3)] },
      { message: 'cli: fixed lazy files', files: [['src/r.py', 'class LazyFile:\n    pass\n']] },
      { message: 'core: fixed lazy files', files: [['src/r.py', 'class LazyFile:\n    size = 1\n']] },
    ]);
    expect(history.groups.map(({ title, commits }) => [title, commits.length])).toEqual([
      ['Initial commit', 1],
      ['Added ranges', 2],
      ['Added lazy files', 2],
      ['core: fixed lazy files', 1],
    ]);
  });

  it('are what a rebase landed in one go, when somebody else wrote it, but not the update of dependencies before it', async () => {
    const rebased = (message: string, minutes: number, files: CommitScript['files']): CommitScript => ({
      message,
      files,
      author: 'Contributor <con@example.com>',
      at: 1_590_000_000 + minutes * 60,
      committedAt: 1_600_100_000,
    });
    const history = await analyseScript(folder, [
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
      {
        ...rebased('Shout', 20, [['src/shout.rs', 'pub fn shout() {}\n']]),
        author: 'Somebody Else <else@example.com>',
      },
      { message: 'Something of my own', files: [['src/own.rs', 'pub fn own() {}\n']] },
    ]);
    expect(history.groups.map(({ kind, commits }) => [kind, commits.length])).toEqual([
      ['single', 1],
      ['single', 1],
      ['landing', 2],
      ['single', 1],
      ['single', 1],
    ]);
  });

  it('are the pull requests of a line of development that was merged, not the line', async () => {
    const f = (name: string): CommitScript['files'] => [[`src/${name}.py`, `def ${name}():\n    return 1\n`]];
    const history = await analyseScript(folder, [
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
    const first = await analyseScript(folder, [
      { message: 'root', files: [base] },
      { message: 'Add b (#3)', files: [more] },
      { message: 'Revert "Add b (#3)" (#4)', files: [['b.py', null]] },
    ]);
    expect(first.groups.map(({ revertedBy }) => revertedBy)).toEqual([null, 2, null]);
    const again = await analyseScript(folder, [
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
    const history = await analyseScript(folder, [
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
    expect(commitAt(history, 3).problems.sort()).toEqual([
      'lfs.py: not parsed: lfs-pointer',
      'nul.py: not parsed: binary',
    ]);
    expect(commitAt(history, 3).changes.find(({ path }) => path === 'lfs.py')?.role).toBe('binary');
  });
});
