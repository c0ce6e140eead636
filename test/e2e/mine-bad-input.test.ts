import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chains, chainsDocument } from '#documents/chains.js';
import { minedLayout } from '#documents/layout.js';
import { plainEnvironment } from '#process/index.js';
import { makeTemporaryFolder } from '#store/index.js';
import { type Answer, featurearc } from '../support/command-line.js';
import { type CommitScript, git, scriptHistory } from '../support/script-history.js';
import { type SlugHistoryOptions, slugHistory } from '../support/slug-history.js';

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

let folder: string;
let home: string;
beforeAll(async () => {
  folder = await makeTemporaryFolder('mine-bad-input');
  home = join(folder, 'home');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const place = (name: string): string => join(folder, name);

function scripted(name: string, commits: readonly CommitScript[]): string {
  scriptHistory(place(name), commits);
  return place(name);
}

async function mine(
  repository: string,
  more: readonly string[] = [],
  own = home,
): Promise<Answer & { chains: Chains | null }> {
  const out = `${repository}.mined`;
  const answer = await featurearc(['mine', repository, '--out', out, ...more], { home: own });
  expect(answer.stderr).not.toMatch(/^\s+at /m);
  expect(answer.stderr).not.toMatch(/fault of the program itself/);
  if (answer.exitCode !== 0) {
    expect(answer.stdout).toBe('');
    return { ...answer, chains: null };
  }
  const file = minedLayout(more.includes('--out') ? (more[more.indexOf('--out') + 1] ?? '') : out).chains;
  return { ...answer, chains: chainsDocument.parse(readFileSync(file, 'utf8'), file) };
}

/** A clone made with the flags, by a protocol that knows of them. */
function cloned(name: string, flags: readonly string[], options: SlugHistoryOptions = {}): string {
  const source = slugHistory(place(`${name}-source`), options);
  git(source, ['config', 'uploadpack.allowFilter', 'true']);
  git(source, ['clone', '-q', ...flags, `file://${source}`, place(name)]);
  return place(name);
}

/** One digest of every file below a folder: names, modes and contents. */
function digestOfFolder(at: string): string {
  const hash = createHash('sha256');
  for (const name of (readdirSync(at, { recursive: true }) as string[]).sort()) {
    const facts = lstatSync(join(at, name));
    hash.update(`${name}\0${facts.mode}\0${facts.mtimeMs}\0`);
    if (facts.isFile()) hash.update(readFileSync(join(at, name)));
  }
  return hash.digest('hex');
}

const TESTED: CommitScript['files'] = [
  ['words.py', 'def shout(text):\n    return text.upper()\n'],
  [
    'tests/test_words.py',
    'import pytest\nfrom words import shout\n\ndef test_shout():\n    assert shout("a") == "A"\n',
  ],
];

describe('mining what cannot be mined says so, with what to do', () => {
  const refused: { title: string; make: () => string; says: RegExp; more?: string[] }[] = [
    {
      title: 'a folder that is no repository',
      make: () => {
        mkdirSync(place('nothing'));
        return place('nothing');
      },
      says: /nothing: not a git repository\n {2}Give the folder of a clone/,
    },
    {
      title: 'a folder that is not there',
      make: () => place('nowhere'),
      says: /nowhere: not a git repository/,
    },
    {
      title: 'a repository without a commit',
      make: () => {
        mkdirSync(place('empty'));
        git(place('empty'), ['init', '-q', '--bare', place('empty')]);
        return place('empty');
      },
      says: /empty: has no commit\n {2}Name a branch/,
    },
    {
      title: 'a shallow clone',
      make: () => cloned('shallow', ['--bare', '--depth', '2']),
      says: /shallow.*a shallow clone.*\n {2}Run `git fetch --unshallow`/,
    },
    {
      title: 'a clone without file contents',
      make: () => cloned('partial', ['--bare', '--filter=blob:none']),
      says: /partial.*a partial clone: \d+ file contents are missing.*\n {2}Clone it without --filter/,
    },
    {
      title: 'a history without tests',
      make: () => scripted('untested', [{ message: 'Start', files: [['a.py', 'x = 1\n']] }]),
      says: /no tasks can be made of it: tests: no test framework found\n.*--force/,
    },
    {
      title: 'a language that is not read',
      make: () => scripted('cobol', [{ message: 'Start', files: [['a.c', 'int x;\n']] }]),
      says: /language: no source in Python, TypeScript\/JavaScript, Rust or Go/,
    },
    {
      title: 'nothing but binary files',
      make: () =>
        scripted('binary', [{ message: 'Start', files: [['a.png', Buffer.from([137, 80, 78, 71, 0, 1, 2])]] }]),
      says: /language: no source/,
    },
    {
      title: "a git folder as the documents' place",
      make: () => scripted('inside', [{ message: 'Start', files: TESTED }]),
      more: ['--out', join('inside-out', '..', 'inside', 'mined')],
      says: /never written to\n.*elsewhere/,
    },
  ];
  it.each(refused)('$title', async ({ make, says, more }) => {
    const repository = make();
    const args = more?.map((word) => (word.includes('inside') ? join(folder, word) : word));
    const { exitCode, stderr } = await mine(repository, args);
    expect(stderr).toMatch(says);
    expect(exitCode).toBe(3);
  });

  it.each([
    ['a date that is none', ['--since', 'yesterday'], /2024-01-31/],
    ['a search that is none', ['--search', 'luck'], /beam, anchor, bridge, community/],
    ['no repository at all', [], /no repository is named/],
  ])('%s', async (_title, args, says) => {
    const answer = await featurearc(['mine', ...args, '--out', place('x')], { home });
    expect(answer).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(says) });
  });

  it.each([
    ['a day that no calendar has', ['--since', '2024-02-31'], 2, /2024-01-31/],
    ['a time that ends before it begins', ['--since', '2024-02-01', '--until', '2024-01-01'], 3, /--since .* is after/],
    ['a path that leaves the repository', ['--path', '../src'], 3, /"\.\.\/src".*\n {2}Paths are relative to the repo/],
    [
      'a path from the root of the machine',
      ['--path', '/src'],
      3,
      /"\/src".*\n {2}Paths are relative to the repository/,
    ],
  ])('a window that cannot be: %s', async (title, args, exitCode, says) => {
    const answer = await mine(slugHistory(place(`window-${title.replaceAll(' ', '-')}`)), args);
    expect(answer).toMatchObject({ exitCode, stderr: expect.stringMatching(says) });
  });

  it.each([
    ['a file', 'file', /file: cannot be written to/],
    ['below a file', 'file/below/it', /below\/it: cannot be written to/],
    ['a folder with a folder in the place of chains.json', 'taken', /chains\.json: a folder stands where a file/],
  ])('documents that would go to %s, before anything is read', async (title, out, says) => {
    const repository = slugHistory(place(`out-${title.replaceAll(/\W/g, '-')}`));
    mkdirSync(minedLayout(place('taken')).chains, { recursive: true });
    writeFileSync(place('file'), '');
    const answer = await mine(repository, ['--out', place(out)]);
    expect(answer).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(says) });
    expect(answer.stderr).not.toMatch(/read commits/);
  });

  it('caches that would go to a file, before anything is read', async () => {
    writeFileSync(place('home-file'), '');
    const answer = await mine(slugHistory(place('cache-file')), [], place('home-file'));
    expect(answer).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/home-file.*cannot be written to/) });
    expect(answer.stderr).not.toMatch(/read commits/);
  });

  it.each(['raw', 'results', 'facts-'])('a folder in the place of a cached file: %s', async (kind) => {
    const repository = slugHistory(place(`cached-${kind}`));
    const own = place(`cached-${kind}-home`);
    expect((await mine(repository, [], own)).exitCode).toBe(0);
    const history = join(own, 'history');
    const held = readdirSync(history).filter((name) => name.startsWith(kind));
    const files = held.flatMap((name) => readdirSync(join(history, name)).map((file) => join(history, name, file)));
    expect(files.length).toBeGreaterThan(0);
    // Where the finished result is there, the other caches are not looked at.
    if (kind !== 'results') rmSync(join(history, 'results'), { recursive: true });
    for (const file of files) {
      rmSync(file);
      mkdirSync(file);
    }
    const answer = await mine(repository, [], own);
    expect(answer).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/history: something else stands in/) });
  });

  it('the evidence of a chain where chains.json is a folder', async () => {
    mkdirSync(minedLayout(place('explained')).chains, { recursive: true });
    const answer = await featurearc(['mine', '--explain', '1', '--out', place('explained')], { home });
    expect(answer).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/chains\.json: is a folder, not a file/),
    });
  });
});

describe('mining what is odd gives a right result', () => {
  it.each([
    ['bare', ['--bare'], []],
    ['with a work tree', ['--no-checkout'], []],
    ['read in one thread', ['--bare'], ['--workers', '0']],
    ['of many files', ['--bare'], []],
  ])('goes on in a clone without file contents, and fetches none: %s', async (title, flags, more) => {
    const name = `without-${title.replaceAll(' ', '-')}`;
    const commits = title === 'of many files' ? { commits: 300 } : {};
    const repository = cloned(name, ['--filter=blob:none', ...flags], commits);
    const before = digestOfFolder(repository);
    const answer = await mine(repository, ['--allow-incomplete', '--force', ...more], place(`${name}-home`));
    expect(answer.exitCode).toBe(0);
    expect(answer.chains?.completeness).toBe('partial');
    expect(digestOfFolder(repository)).toBe(before);
    const unforced = await mine(repository, ['--allow-incomplete', ...more], place(`${name}-home`));
    expect(unforced).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/no tasks can be made of it/) });
  });

  it('knows paths that are not ASCII, however they are written', async () => {
    const repository = slugHistory(place('accents'), { path: (name) => name.replace('src/', 'srć/') });
    const found = await Promise.all(
      ['srć', './srć/', 'srć/slug.js'].map((path) => mine(repository, ['--path', path, '--out', place(`in-${path}`)])),
    );
    for (const { exitCode, chains, stderr } of found) {
      expect(exitCode).toBe(0);
      expect(chains?.chains[0]?.stages).toHaveLength(3);
      expect(stderr).not.toMatch(/no file was ever there/);
    }
  });

  it('names a path at which no file ever was', async () => {
    const { exitCode, stdout, stderr } = await mine(slugHistory(place('misspelt')), ['--path', 'scr/']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/no group of commits is in the window that was asked for, below scr\n/);
    expect(stderr).toMatch(/--path scr: no file was ever there/);
  });

  it('goes on in an incomplete clone where it is told to, and marks the result', async () => {
    const { chains, exitCode } = await mine(place('shallow'), ['--allow-incomplete', '--force']);
    expect(exitCode).toBe(0);
    expect(chains).toMatchObject({ completeness: 'shallow', counts: { commits: 2 } });
  });

  it.each([
    ['source of an early stage', 'HEAD~5:src/slug.js', /1 version\(s\) of files are missing or damaged.*git fsck/],
    ['the manifest of the head', 'HEAD:package.json', /package\.json of the head .*is missing or damaged\n.*git fsck/],
    ['a commit', 'HEAD~3', /git (?:rev-list|cat-file|diff-tree) in .*\n.*git fsck/],
    ['a tree', 'HEAD~3^{tree}', /git diff-tree in .*\n.*git fsck/],
  ])('an object that is not there: %s', async (title, revision, says) => {
    const repository = slugHistory(place(`missing-${title.replaceAll(' ', '-')}`));
    const id = git(repository, ['rev-parse', revision]).toString().trim();
    explode(repository);
    rmSync(join(repository, 'objects', id.slice(0, 2), id.slice(2)));
    const { exitCode, stderr, chains } = await mine(repository, [], `${repository}.home`);
    expect(stderr).toMatch(says);
    expect(exitCode === 0 ? chains?.completeness : exitCode).toBe(title.startsWith('source') ? 'partial' : 3);
  });

  it.each([
    ['source of an early stage', 'HEAD~5:src/slug.js'],
    ['a commit', 'HEAD~3'],
  ])('an object that is damaged: %s', async (title, revision) => {
    const repository = slugHistory(place(`damaged-${title.replaceAll(' ', '-')}`));
    const id = git(repository, ['rev-parse', revision]).toString().trim();
    explode(repository);
    const file = join(repository, 'objects', id.slice(0, 2), id.slice(2));
    chmodSync(file, 0o644);
    writeFileSync(file, readFileSync(file).fill(0xff, 8));
    const { exitCode, stderr, chains } = await mine(repository, [], `${repository}.home`);
    expect(stderr).toMatch(/git fsck/);
    expect(exitCode === 0 ? chains?.completeness : exitCode).toBe(title.startsWith('source') ? 'partial' : 3);
  });

  it('a damaged pack', async () => {
    const repository = slugHistory(place('damaged-pack'));
    git(repository, ['repack', '-adq']);
    const [pack = ''] = readdirSync(join(repository, 'objects/pack')).filter((name) => name.endsWith('.pack'));
    const file = join(repository, 'objects/pack', pack);
    const bytes = readFileSync(file);
    chmodSync(file, 0o644);
    writeFileSync(file, bytes.fill(0xff, Math.floor(bytes.length / 3), Math.floor(bytes.length / 3) + 60));
    const { exitCode, stderr } = await mine(repository, [], `${repository}.home`);
    expect(stderr).toMatch(/git fsck/);
    expect(exitCode).toBe(3);
  });

  it.each([
    ['one commit', [{ message: 'Start', files: TESTED }]],
    [
      'nothing but merges',
      [
        { message: 'Start', files: TESTED },
        { message: 'Other start', files: [['x.py', 'x = 1\n']], parents: [] },
        { message: 'Merge', files: [], parents: [1, 2] },
        { message: 'Merge again', files: [], parents: [3, 2] },
      ],
    ],
  ] as [string, CommitScript[]][])('%s: no chain, and why', async (title, commits) => {
    const { exitCode, stdout, chains } = await mine(scripted(title.replaceAll(' ', '-'), commits));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^no chain: /);
    expect(chains?.chains).toEqual([]);
  });

  it('paths, names and messages that are not UTF-8', async () => {
    const odd = (text: string): Buffer => Buffer.from(text, 'latin1');
    const repository = slugHistory(place('bytes'), {
      path: (name) => odd(name.replace('slug', 'sl\xfcg\xff')),
      message: (text) => odd(`${text} f\xfcr gr\xf6\xdfe \xff`),
    });
    const { exitCode, chains } = await mine(repository);
    expect(exitCode).toBe(0);
    const [chain] = chains?.chains ?? [];
    expect(chain?.stages.length).toBeGreaterThanOrEqual(2);
    expect(chain?.stages.flatMap(({ files }) => files.map(({ path }) => path))).toContain('src/sl\xfcg\xff.js');
    const page = readFileSync(minedLayout(`${repository}.mined`).page);
    expect(Buffer.from(page.toString('utf8'))).toEqual(page);
    expect(page.toString('utf8')).toContain('sl\\xfcg\\xff.js');
  });

  it('a hundred thousand files in one commit', async () => {
    const files = Array.from({ length: 100_000 }, (_, at): CommitScript['files'][number] => [
      `vendor${at % 100}/deep${at % 1000}/file${at}.py`,
      'x = 1\n',
    ]);
    const repository = slugHistory(place('many'), { before: [{ message: 'Everything', files }] });
    const { exitCode, chains } = await mine(repository, ['--force']);
    expect(exitCode).toBe(0);
    expect(chains?.chains[0]?.stages.length).toBeGreaterThanOrEqual(2);
  });

  it('huge generated files and input that parsers choke on, beside a real feature', async () => {
    const deep = 30_000;
    const repository = slugHistory(place('odd-files'), {
      beside: (stage) => [
        ['src/generated.js', `export const table = [${`"${stage}",`.repeat(700_000)}];\n`],
        ['src/deep.js', `export const deep = ${'['.repeat(deep + stage)}${']'.repeat(deep + stage)};\n`],
        ['src/open.js', `export const open = ${'(('.repeat(deep + stage)}\n`],
        ['src/quoted.js', `export const s = "${'\\"'.repeat(deep)}${'`${'.repeat(deep + stage)}\n`],
        ['tools/deep.py', `x = ${'('.repeat(deep + stage)}1${')'.repeat(deep + stage)}\n`],
        ['tools/deep.rs', `fn main() { ${'{'.repeat(deep + stage)}${'}'.repeat(deep)} }\n`],
        ['tools/deep.go', `package main\nvar x = ${'[]'.repeat(deep + stage)}int{}\n`],
      ],
    });
    const { exitCode, chains } = await mine(repository, ['--force']);
    expect(exitCode).toBe(0);
    expect(chains?.chains[0]?.stages.length).toBeGreaterThanOrEqual(2);
  });
});

describe('a mining run disturbs nothing and is disturbed by nothing', () => {
  it('never writes to the repository, and needs no right to', async () => {
    const repository = slugHistory(place('read-only'));
    for (const name of readdirSync(repository, { recursive: true }) as string[])
      chmodSync(join(repository, name), lstatSync(join(repository, name)).isDirectory() ? 0o555 : 0o444);
    const before = digestOfFolder(repository);
    const { exitCode } = await mine(repository, ['--graph', 'json']);
    expect(exitCode).toBe(0);
    expect(digestOfFolder(repository)).toBe(before);
    for (const name of readdirSync(repository, { recursive: true }) as string[])
      if (lstatSync(join(repository, name)).isDirectory()) chmodSync(join(repository, name), 0o755);
  });

  it('shares a cache with another run', async () => {
    const repository = slugHistory(place('shared'));
    const shared = place('shared-home');
    const outs = [1, 2, 3].map((run) => place(`shared.${run}`));
    const answers = await Promise.all(
      outs.map((out) => featurearc(['mine', repository, '--out', out], { home: shared })),
    );
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const documents = outs.map((out) => readFileSync(minedLayout(out).chains, 'utf8'));
    expect(new Set(documents).size).toBe(1);
  });

  it.each([
    ['interrupted', 'SIGINT', 130],
    ['terminated', 'SIGTERM', 143],
    ['killed', 'SIGKILL', null],
  ] as const)('comes to the same after it was %s, with its cache intact', async (title, signal, code) => {
    const repository = slugHistory(place(`when-${title}`), { commits: 400 });
    const own = place(`home-${title}`);
    const exitCode = await interrupted(repository, own, signal);
    expect(exitCode).toBe(code);
    const again = await mine(repository, [], own);
    const fresh = await featurearc(['mine', repository, '--out', place(`fresh-${title}`)], {
      home: place(`home2-${title}`),
    });
    expect([again.exitCode, fresh.exitCode]).toEqual([0, 0]);
    const document = (out: string): string => readFileSync(minedLayout(out).chains, 'utf8');
    expect(document(`${repository}.mined`)).toBe(document(place(`fresh-${title}`)));
  });

  /** Ends a run by a signal once it has begun to parse. */
  async function interrupted(repository: string, own: string, signal: NodeJS.Signals): Promise<number | null> {
    const child = spawn(process.execPath, [BIN, 'mine', repository, '--out', `${repository}.mined`], {
      env: { ...plainEnvironment(), HOME: own, FEATUREARC_HOME: own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    child.stderr.on('data', (said: Buffer) => {
      if (said.toString().includes('read commits')) child.kill(signal);
    });
    const [exitCode] = (await ended) as [number | null];
    return exitCode;
  }
});

/** Packs become loose objects, so that single ones can be taken away. */
function explode(repository: string): void {
  const packs = join(repository, 'objects/pack');
  for (const name of readdirSync(packs).filter((one) => one.endsWith('.pack'))) {
    const bytes = readFileSync(join(packs, name));
    for (const part of readdirSync(packs).filter((one) => one.startsWith(name.slice(0, -5)))) rmSync(join(packs, part));
    git(repository, ['unpack-objects', '-q'], bytes);
  }
}
