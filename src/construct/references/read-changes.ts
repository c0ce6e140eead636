import type { FileMode, Repository } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import type { PathChange, PathEntry } from './stages.js';

/** Added and deleted files of one diff that are compared for renames by content; beyond it only equal files pair. */
const RENAME_LIMIT = 1000;

/**
 * The file patches between pairs of trees, renames found by git, all pairs in one process.
 * @returns one list per pair, in order, sorted by path
 */
export async function readChanges(
  repository: Repository,
  pairs: readonly { before: string; after: string }[],
): Promise<PathChange[][]> {
  if (pairs.length === 0) return [];
  const output = await repository.git({
    args: [
      'diff-tree',
      '--stdin',
      '-r',
      '-z',
      '--raw',
      '--no-abbrev',
      '-M',
      `-l${RENAME_LIMIT}`,
      '--ignore-submodules=none',
    ],
    stdin: Buffer.from(pairs.map(({ before, after }) => `${before} ${after}\n`).join('')),
  });
  return parseRawDiffs(output.stdout, pairs.length);
}

/** Reads `<tree> <tree>\n` headers, each followed by `:<modes> <ids> <status>\0<path>\0` records (two paths in a rename). */
function parseRawDiffs(bytes: Buffer, expected: number): PathChange[][] {
  const diffs: PathChange[][] = [];
  let at = 0;
  const until = (end: number): string => {
    const found = bytes.indexOf(end, at);
    if (found < 0) throw cutOutput();
    const text = bytes.toString('latin1', at, found);
    at = found + 1;
    return text;
  };
  while (at < bytes.length) {
    if (bytes[at] !== 0x3a) {
      until(0x0a);
      diffs.push([]);
      continue;
    }
    const [oldMode = '', newMode = '', oldOid = '', newOid = '', status = ''] = until(0).slice(1).split(' ');
    const first = until(0);
    const second = status.startsWith('R') || status.startsWith('C') ? until(0) : first;
    diffs.at(-1)?.push({
      before: entryOf(first, oldMode, oldOid),
      after: entryOf(second, newMode, newOid),
    });
  }
  if (diffs.length !== expected) throw cutOutput();
  return diffs;
}

function entryOf(path: string, mode: string, oid: string): PathEntry | null {
  if (mode === '000000') return null;
  const known: readonly string[] = ['100755', '120000', '160000'];
  return { path, mode: known.includes(mode) ? (mode as FileMode) : '100644', oid };
}

function cutOutput(): Fault {
  return new Fault({
    code: 'git-output-cut',
    kind: 'internal',
    message: 'git diff-tree ended in the middle of its answer',
  });
}
