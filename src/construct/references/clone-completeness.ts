import type { Repository } from '#git/index.js';
import { pathBytes, showPath } from '#kernel/bytes.js';
import { Fault } from '#kernel/faults.js';

/** True where the clone's history was cut off: commits at its edge look like roots. */
export async function isShallow(repository: Repository): Promise<boolean> {
  const answer = await repository.git({ args: ['rev-parse', '--is-shallow-repository'] });
  return answer.stdout.toString('latin1').trim() === 'true';
}

/** A commit whose past the clone does not have. */
export function shallowFault(gitDir: string, what: string): Fault {
  return new Fault({
    code: 'clone-shallow',
    kind: 'input',
    message: `${gitDir}: the clone is shallow, and ${what}`,
    hint: 'Fetch the whole history (git fetch --unshallow) and run the same command again.',
  });
}

/**
 * Makes sure that everything below these trees is there; one process, nothing is fetched on demand.
 * @throws Fault `clone-partial` (input) naming what is missing
 */
export async function requireObjects(repository: Repository, trees: readonly string[]): Promise<void> {
  const listed = await repository.git({
    args: ['rev-list', '--objects', '--missing=print', '--no-object-names', '--stdin'],
    stdin: Buffer.from(trees.map((tree) => `${tree}\n`).join('')),
  });
  const missing = listed.stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
  const [first] = missing;
  if (first === undefined) return;
  const path = await pathOfBlob(repository, trees, first);
  throw new Fault({
    code: 'clone-partial',
    kind: 'input',
    message: `${repository.place.gitDir}: ${missing.length} object(s) that are needed are not in the clone, first ${first}${path === null ? '' : ` (${showPath(pathBytes(path))})`}`,
    hint: 'A partial clone lacks file contents: fetch them all (git fetch --refetch --no-filter) and run the same command again.',
    context: { missing: missing.slice(0, 20) },
  });
}

/** Where the trees have the blob; null where a tree itself is missing. */
async function pathOfBlob(repository: Repository, trees: readonly string[], oid: string): Promise<string | null> {
  try {
    for (const tree of trees)
      for (const [path, file] of await repository.files(tree)) if (file.oid === oid) return path;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || (thrown.code !== 'object-missing' && thrown.code !== 'git-failed')) throw thrown;
  }
  return null;
}
