import type { Repository } from '#git/index.js';
import { pathBytes, showPath } from '#kernel/bytes.js';
import { Fault } from '#kernel/faults.js';
import type { PathChange, PathEntry } from './stages.js';

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
 * Makes sure that every blob that rebuilding reads is there; one process, nothing is fetched on demand.
 * @throws Fault `clone-partial` (input) naming what is missing
 */
export async function requireBlobs(repository: Repository, files: Iterable<PathEntry>): Promise<void> {
  const wanted = new Map<string, string>();
  for (const file of files) if (file.mode !== '160000') wanted.set(file.oid, file.path);
  if (wanted.size === 0) return;
  const answer = await repository.git({
    args: ['cat-file', '--batch-check=%(objecttype)', '--buffer'],
    stdin: Buffer.from([...wanted.keys()].map((oid) => `${oid}\n`).join('')),
  });
  const missing = answer.stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, line.indexOf(' '))] : []));
  if (missing.length === 0) return;
  const [first = ''] = missing;
  const path = showPath(pathBytes(wanted.get(first) ?? ''));
  throw new Fault({
    code: 'clone-partial',
    kind: 'input',
    message: `${repository.place.gitDir}: ${missing.length} object(s) that are needed are not in the clone, first blob ${first} (${path})`,
    hint: 'A partial clone lacks file contents: fetch them all (git fetch --refetch --no-filter) and run the same command again.',
    context: { missing: missing.slice(0, 20) },
  });
}

/** Both sides of every change. */
export function* sidesOf(changes: Iterable<PathChange>): Generator<PathEntry> {
  for (const { before, after } of changes) {
    if (before !== null) yield before;
    if (after !== null) yield after;
  }
}
