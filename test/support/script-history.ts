import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';

/** What stands at a path after a commit: text or bytes, a link, a submodule's commit, an executable, or null for nothing. */
export type Entry = string | Buffer | { link: string } | { gitlink: string } | { executable: string } | null;

export interface CommitScript {
  message: string | Buffer;
  /** Paths are bytes; a string is UTF-8. */
  files: [path: string | Buffer, entry: Entry][];
  /** Marks of parents; by default the commit before. An empty list makes a root. */
  parents?: number[];
  /** Raw identity line without its keyword. */
  author?: string;
  /** Author's and committer's time in seconds since the epoch. */
  at?: number;
  committedAt?: number;
  encoding?: string;
}

const START = 1_600_000_000;

/**
 * Writes a bare repository with `git fast-import`, commit by commit, so that any bytes can be a path or a message.
 * Commits have the marks 1, 2, 3 ... in order; the last is the head of `main`.
 * @returns ids by mark (index 0 is unused)
 */
export function scriptHistory(gitDir: string, commits: readonly CommitScript[]): string[] {
  mkdirSync(gitDir, { recursive: true });
  git(gitDir, ['init', '-q', '--bare', '-b', 'main', gitDir]);
  const parts: Buffer[] = [];
  const say = (text: string): void => void parts.push(Buffer.from(text));
  commits.forEach((commit, index) => {
    const mark = index + 1;
    const { message, files, parents = mark === 1 ? [] : [mark - 1], at = START + mark * 60 } = commit;
    // A branch of its own for each commit, so that a root is a root whatever stands before it.
    say(`commit refs/heads/c${mark}\nmark :${mark}\n`);
    say(`author ${commit.author ?? 'A U Thor <author@example.com>'} ${at} +0000\n`);
    say(`committer C O Mitter <committer@example.com> ${commit.committedAt ?? START + mark * 60} +0000\n`);
    if (commit.encoding !== undefined) say(`encoding ${commit.encoding}\n`);
    const bytes = Buffer.from(message as string);
    say(`data ${bytes.length}\n`);
    parts.push(bytes);
    say('\n');
    parents.forEach((parent, at) => {
      say(`${at === 0 ? 'from' : 'merge'} :${parent}\n`);
    });
    for (const [path, entry] of files) parts.push(...fileCommand(path, entry));
    say('\n');
  });
  say(`reset refs/heads/main\nfrom :${commits.length}\n\n`);
  say('done\n');
  const marks = `${gitDir}/script-marks`;
  git(gitDir, ['fast-import', '--quiet', '--done', `--export-marks=${marks}`], Buffer.concat(parts));
  const gone = commits.map((_commit, index) => `delete refs/heads/c${index + 1}\n`).join('');
  git(gitDir, ['update-ref', '--stdin'], Buffer.from(gone));
  const ids = [''];
  for (const line of readMarks(marks)) ids[line.mark] = line.id;
  return ids;
}

/** Runs git in a repository; its output as bytes. */
export function git(gitDir: string, args: readonly string[], input?: Buffer): Buffer {
  const result = spawnSync('git', [...args], {
    ...(input === undefined ? {} : { input }),
    env: {
      PATH: process.env.PATH ?? '',
      GIT_DIR: gitDir,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      HOME: '/nonexistent',
    },
    maxBuffer: 2 ** 30,
  });
  if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr.toString()}`);
  return result.stdout;
}

function readMarks(file: string): { mark: number; id: string }[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ mark: Number(line.slice(1, line.indexOf(' '))), id: line.slice(line.indexOf(' ') + 1) }));
}

function fileCommand(path: string | Buffer, entry: Entry): Buffer[] {
  const name = quoted(Buffer.from(path as string));
  if (entry === null) return [Buffer.from(`D ${name}\n`)];
  if (typeof entry === 'object' && 'gitlink' in entry) return [Buffer.from(`M 160000 ${entry.gitlink} ${name}\n`)];
  const isPlain = typeof entry === 'string' || Buffer.isBuffer(entry);
  const mode = isPlain ? '100644' : 'link' in entry ? '120000' : '100755';
  const content = Buffer.from(isPlain ? (entry as string) : 'link' in entry ? entry.link : entry.executable);
  return [Buffer.from(`M ${mode} inline ${name}\ndata ${content.length}\n`), content, Buffer.from('\n')];
}

/** Every byte that is not plain goes as an octal escape. */
function quoted(path: Buffer): string {
  const inner = [...path].map((byte) =>
    byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"${inner.join('')}"`;
}
