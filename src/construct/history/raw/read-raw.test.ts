import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepository, readRepositoryFacts } from '#git/index.js';
import { type CommitScript, type Entry, git, scriptHistory } from '../../../../test/support/script-history.js';
import type { RawHistory } from './raw-history.js';
import { checkBlobs, readRaw } from './read-raw.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raw-history-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function read(gitDir: string, cacheFolder: string | null = null, allowIncomplete = false): Promise<RawHistory> {
  const repository = await openRepository(gitDir);
  try {
    const facts = await readRepositoryFacts(repository);
    const request = { facts, head: facts.head ?? '', cacheFolder, allowIncomplete };
    return await checkBlobs(repository, await readRaw(repository, request), request);
  } finally {
    await repository.close();
  }
}

const latin1Path = Buffer.from('caf\xe9.py', 'latin1');
const otherLatin1Path = Buffer.from('caf\xe8.py', 'latin1');
const oddPath = Buffer.from('a b/tab\there "quoted" \\ new\nline b/x.py');
const GITLINK = 'c0ffee'.padEnd(40, '0');

/** Kinds of history that have misled other readers, one after the other. */
const ODD: CommitScript[] = [
  {
    message: 'root',
    files: [
      ['old/a.py', 'x = 1\n'.repeat(30)],
      [latin1Path, 'a'],
      [otherLatin1Path, 'b'],
      [oddPath, 'c'],
    ],
  },
  {
    message: 'rename a folder',
    files: [
      ['old/a.py', null],
      ['new/a.py', 'x = 1\n'.repeat(30)],
    ],
  },
  {
    message: 'case only',
    files: [
      ['new/a.py', null],
      ['new/A.py', 'x = 1\n'.repeat(30)],
    ],
  },
  {
    message: 'links and modules',
    files: [
      ['link', { link: 'new/A.py' }],
      ['sub', { gitlink: GITLINK }],
      ['run.sh', { executable: '#!/bin/sh\n' }],
    ],
  },
  {
    message: 'type change',
    files: [
      ['link', 'now a file'],
      ['sub', { link: 'elsewhere' }],
    ],
  },
  { message: '', files: [] },
  { message: Buffer.from('na\xefve', 'latin1'), encoding: 'ISO-8859-1', files: [['m', '1']] },
  { message: Buffer.from('na\xefve without a header', 'latin1'), files: [['m', '2']] },
  { message: 'strange encoding', encoding: 'no-such-encoding', files: [['m', '3']] },
  { message: 'another root', parents: [], files: [['other/root.py', 'y = 2\n']] },
  { message: 'branch one', parents: [9], files: [['one.py', '1']] },
  { message: 'branch two', parents: [9], files: [['two.py', '2']] },
  {
    message: 'octopus of three lines',
    parents: [9, 10, 11, 12],
    files: [
      ['other/root.py', 'y = 2\n'],
      ['one.py', '1'],
      ['two.py', '2'],
      ['evil.py', 'by the merge itself'],
    ],
  },
];

describe('a raw history', () => {
  it('has every commit that rev-list counts, parents first', async () => {
    const gitDir = join(folder, 'odd');
    scriptHistory(gitDir, ODD);
    const raw = await read(gitDir);
    expect(raw.commitCount).toBe(Number(git(gitDir, ['rev-list', '--count', 'main'])));
    for (let commit = 0; commit < raw.commitCount; commit += 1)
      for (const parent of raw.parentsOf(commit)) expect(parent).toBeLessThan(commit);
  });

  it('replays to the exact tree of every commit, whatever bytes its paths have', async () => {
    const gitDir = join(folder, 'odd-replay');
    scriptHistory(gitDir, ODD);
    expectReplay(await read(gitDir), gitDir);
  });

  it('keeps links, modules, type changes, exact renames and case-only renames apart', async () => {
    const gitDir = join(folder, 'odd-kinds');
    const ids = scriptHistory(gitDir, ODD);
    const raw = await read(gitDir);
    const changes = (mark: number) =>
      raw
        .changesOf(indexOf(raw, ids[mark] ?? ''))
        .map(({ path, from, status, before, after }) => ({ path, from, status, before, after }));
    expect(changes(2)).toEqual([
      { path: 'new/a.py', from: 'old/a.py', status: 'renamed', before: 'file', after: 'file' },
    ]);
    expect(changes(3)).toEqual([
      { path: 'new/A.py', from: 'new/a.py', status: 'renamed', before: 'file', after: 'file' },
    ]);
    expect(changes(4).map(({ after }) => after)).toEqual(['symlink', 'executable', 'gitlink']);
    expect(changes(5).map(({ status, before, after }) => [status, before, after])).toEqual([
      ['type-changed', 'symlink', 'file'],
      ['type-changed', 'gitlink', 'symlink'],
    ]);
    expect(changes(6)).toEqual([]);
  });

  it('compares an octopus with its first parent and keeps all its parents', async () => {
    const gitDir = join(folder, 'odd-octopus');
    scriptHistory(gitDir, ODD);
    const raw = await read(gitDir);
    const head = raw.commitCount - 1;
    expect(raw.parentsOf(head)).toHaveLength(4);
    expect(
      raw
        .changesOf(head)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['evil.py', 'one.py', 'other/root.py', 'two.py']);
  });

  it('decodes messages by their header, as UTF-8, or as latin-1, and says which', async () => {
    const gitDir = join(folder, 'odd-messages');
    const ids = scriptHistory(gitDir, ODD);
    const raw = await read(gitDir);
    const object = (mark: number) => raw.objectOf(indexOf(raw, ids[mark] ?? ''));
    expect(object(7)).toMatchObject({ message: 'naïve', decodedAs: 'declared', encoding: 'ISO-8859-1' });
    expect(object(8)).toMatchObject({ message: 'naïve without a header', decodedAs: 'latin1-fallback' });
    expect(object(9)).toMatchObject({ message: 'strange encoding', encodingUnknown: true });
  });

  it('reads authors without an address and dates beyond all calendars', async () => {
    const gitDir = join(folder, 'odd-authors');
    const ids = scriptHistory(gitDir, [{ message: 'root', files: [['a', '1']] }]);
    const tree = git(gitDir, ['rev-parse', `${ids[1]}^{tree}`])
      .toString()
      .trim();
    const body = `tree ${tree}\nparent ${ids[1]}\nauthor just a name\ncommitter C <c> 99999999999999999 +0000\n\nodd\0message\n`;
    const odd = git(gitDir, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], Buffer.from(body))
      .toString()
      .trim();
    git(gitDir, ['update-ref', 'refs/heads/main', odd]);
    const raw = await read(gitDir);
    expect(raw.commitCount).toBe(2);
    const object = raw.objectOf(1);
    expect(object.author).toEqual({ name: 'just a name', email: null, at: null });
    expect(object.committer.at).toBeNull();
    expect(object.message).toBe('odd\0message\n');
  });

  it('is the same from the cache, and made again where the cache is damaged', async () => {
    const gitDir = join(folder, 'cached');
    const cache = join(folder, 'cached-cache');
    scriptHistory(gitDir, ODD);
    const first = await read(gitDir, cache);
    const [name = ''] = readdirSync(cache);
    const again = await read(gitDir, cache);
    expect(everything(again)).toEqual(everything(first));
    truncateSync(join(cache, name), 3_000);
    expect(everything(await read(gitDir, cache))).toEqual(everything(first));
    writeFileSync(join(cache, name), 'garbage');
    expect(everything(await read(gitDir, cache))).toEqual(everything(first));
  });

  it('replays generated histories of any shape', async () => {
    await fc.assert(
      fc.asyncProperty(historyScripts, fc.integer(), async (script, salt) => {
        const gitDir = join(folder, `generated-${salt}-${script.length}-${Math.random()}`);
        scriptHistory(gitDir, script);
        expectReplay(await read(gitDir), gitDir);
        rmSync(gitDir, { recursive: true, force: true });
      }),
      { numRuns: 12 },
    );
  });
});

describe('a clone that lacks part of the past', () => {
  it('is refused when it is shallow, and marked when that is allowed', async () => {
    const gitDir = join(folder, 'whole');
    scriptHistory(gitDir, ODD.slice(0, 6));
    const shallow = join(folder, 'shallow');
    git(gitDir, ['clone', '-q', '--bare', '--depth', '2', `file://${gitDir}`, shallow]);
    await expect(read(shallow)).rejects.toMatchObject({ code: 'repository-shallow', kind: 'input' });
    expect((await read(shallow, null, true)).head.completeness).toBe('shallow');
  });

  it('is refused when it was made without blobs, and nothing is fetched', async () => {
    const gitDir = join(folder, 'whole-2');
    scriptHistory(gitDir, ODD.slice(0, 6));
    git(gitDir, ['config', 'uploadpack.allowFilter', 'true']);
    const partial = join(folder, 'partial');
    git(gitDir, ['clone', '-q', '--bare', '--filter=blob:none', `file://${gitDir}`, partial]);
    const packs = readdirSync(join(partial, 'objects', 'pack')).length;
    await expect(read(partial)).rejects.toMatchObject({ code: 'repository-partial', kind: 'input' });
    const raw = await read(partial, null, true);
    expect(raw.head).toMatchObject({ completeness: 'partial' });
    expect(raw.commitCount).toBe(6);
    expect(raw.missingBlobs().size).toBeGreaterThan(3);
    expect(readdirSync(join(partial, 'objects', 'pack'))).toHaveLength(packs);
  });

  it('is read with exact renames where a blob that a rename needs is gone', async () => {
    const gitDir = join(folder, 'one-blob-gone');
    const big = (seed: string): string => Array.from({ length: 60 }, (_, line) => `${seed} ${line}\n`).join('');
    const filler: [string, Entry][] = Array.from({ length: 80 }, (_, at) => [`f${at}`, `${at}`]);
    const ids = scriptHistory(gitDir, [
      { message: 'root', files: [['a.py', big('x')], ...filler] },
      {
        message: 'move and edit',
        files: [
          ['a.py', null],
          ['b.py', `${big('x')}more\n`],
        ],
      },
      { message: 'last', files: [['c.py', '1']] },
    ]);
    git(gitDir, ['unpack-objects', '-q'], packOf(gitDir));
    const blob = git(gitDir, ['rev-parse', `${ids[2]}:b.py`])
      .toString()
      .trim();
    rmSync(join(gitDir, 'objects', blob.slice(0, 2), blob.slice(2)));
    const raw = await read(gitDir);
    expect(raw.head).toMatchObject({ completeness: 'partial', renames: 'exact' });
    expect(raw.commitCount).toBe(3);
    expect([...raw.missingBlobs()]).toEqual([blob]);
  });

  it('fails in words, not in silence, where an object is corrupt', async () => {
    const gitDir = join(folder, 'corrupt');
    const ids = scriptHistory(gitDir, ODD.slice(0, 3));
    git(gitDir, ['unpack-objects', '-q'], packOf(gitDir));
    const tree = git(gitDir, ['rev-parse', `${ids[2]}^{tree}`])
      .toString()
      .trim();
    const file = join(gitDir, 'objects', tree.slice(0, 2), tree.slice(2));
    expect(existsSync(file)).toBe(true);
    rmSync(file);
    writeFileSync(file, 'not an object');
    await expect(read(gitDir)).rejects.toMatchObject({ code: 'git-failed', kind: 'input' });
  });
});

/** Takes the only pack out of the repository and returns it, so that its objects can be written one by one. */
function packOf(gitDir: string): Buffer {
  const packs = join(gitDir, 'objects', 'pack');
  const pack = git(gitDir, ['pack-objects', '--all', '--stdout', '-q'], Buffer.alloc(0));
  for (const name of readdirSync(packs)) rmSync(join(packs, name));
  return pack;
}

function indexOf(raw: RawHistory, id: string): number {
  for (let commit = 0; commit < raw.commitCount; commit += 1) if (raw.idOf(commit) === id) return commit;
  throw new Error(`no commit ${id}`);
}

function everything(raw: RawHistory): unknown {
  return Array.from({ length: raw.commitCount }, (_, commit) => [
    raw.idOf(commit),
    raw.parentsOf(commit),
    raw.changesOf(commit),
    raw.contentOf(commit).toString('latin1'),
  ]);
}

/** Every commit's tree, made by applying its changes to its first parent's, is the tree that git lists. */
function expectReplay(raw: RawHistory, gitDir: string): void {
  const trees: Map<string, string>[] = [];
  for (let commit = 0; commit < raw.commitCount; commit += 1) {
    const [parent] = raw.parentsOf(commit);
    const tree = new Map(parent === undefined ? [] : trees[parent]);
    for (const { path, from, status, newBlob } of raw.changesOf(commit)) {
      if (from !== null && status === 'renamed') tree.delete(from);
      if (newBlob === null) tree.delete(path);
      else tree.set(path, newBlob);
    }
    trees.push(tree);
    const listed = git(gitDir, ['ls-tree', '-r', '-z', raw.idOf(commit)])
      .toString('latin1')
      .split('\0')
      .filter((line) => line !== '');
    const expected = new Map(
      listed.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[2]?.slice(0, 40) ?? '']),
    );
    expect(tree).toEqual(expected);
  }
}

const pathBytes = fc
  .array(
    fc.array(
      fc.integer({ min: 1, max: 255 }).filter((byte) => byte !== 0x2f),
      { minLength: 1, maxLength: 5 },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => Buffer.from(parts.map((part) => Buffer.from(part).toString('latin1')).join('/'), 'latin1'))
  .filter(
    (path) =>
      !path
        .toString('latin1')
        .split('/')
        .some((part) => part === '.' || part === '..' || part.toLowerCase() === '.git'),
  );

const entries: fc.Arbitrary<Entry> = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constant(null),
  fc.string({ minLength: 1, maxLength: 9 }).map((link) => ({ link: link.replaceAll('\0', '') || 'x' })),
);

/** Up to twelve commits; each picks parents among those before it, so any directed acyclic graph may come out. */
const historyScripts: fc.Arbitrary<CommitScript[]> = fc
  .array(
    fc.record({
      files: fc.array(fc.tuple(fc.constantFrom('a', 'b/c', 'b/d', 'e'), entries), { maxLength: 4 }),
      odd: fc.option(pathBytes),
      picks: fc.array(fc.nat(), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((raws) =>
    raws.map(({ files, odd, picks }, index): CommitScript => {
      const all: CommitScript['files'] = [...files, ...(odd === null ? [] : [[odd, 'odd'] as [Buffer, string]])];
      const parents = index === 0 ? [] : [...new Set([index, ...picks.map((pick) => (pick % index) + 1)])];
      return { message: `commit ${index}`, files: all, parents };
    }),
  );
