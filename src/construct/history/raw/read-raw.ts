import { missingObjects, type RenameMode, type Repository, type RepositoryFacts, walkRaw } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { RawCollector } from './collect-raw.js';
import { loadRaw, rawFileOf, saveRaw } from './raw-file.js';
import { RawHistory } from './raw-history.js';

export interface RawRequest {
  facts: RepositoryFacts;
  /** Full id of the newest commit. */
  head: string;
  /** Folder of kept histories; null keeps nothing. */
  cacheFolder: string | null;
  allowIncomplete: boolean;
  signal?: AbortSignal;
}

/** A clone that lacks a larger share of its blobs was made without them; below, some blob is damaged or was too large. */
const TOLERATED_MISSING_SHARE = 0.02;

/**
 * Commits and changes of everything that `head` reaches: from the cache, or read and then kept.
 * @throws Fault `repository-shallow`, `repository-partial` (input) unless incomplete pasts are allowed; `git-failed` (input)
 */
export async function readRaw(repository: Repository, request: RawRequest): Promise<RawHistory> {
  const { facts, cacheFolder, head } = request;
  if (facts.isShallow && !request.allowIncomplete) throw shallowFault(facts);
  const file = cacheFolder === null || facts.isShallow ? null : rawFileOf(cacheFolder, head);
  const kept = file === null ? null : await loadRaw(file);
  const isUsable = kept !== null && kept.head.gitVersion === facts.gitVersion && kept.head.completeness === 'complete';
  if (isUsable) return kept;
  const history = await readTolerant(repository, request);
  assertEnough(history, request);
  if (file !== null) await saveRaw(file, history);
  return history;
}

function shallowFault(facts: RepositoryFacts): Fault {
  return new Fault({
    code: 'repository-shallow',
    kind: 'input',
    message: `${facts.gitDir}: a shallow clone: its past is cut off, so its oldest commits look as if they had added everything`,
    hint: 'Run `git fetch --unshallow` in it, or clone it whole.',
  });
}

function assertEnough(history: RawHistory, { facts, allowIncomplete }: RawRequest): void {
  const { missing, objectIds } = history.columns;
  const share = missing.length / Math.max(1, objectIds.length / history.head.idBytes);
  if (allowIncomplete || share <= TOLERATED_MISSING_SHARE) return;
  throw new Fault({
    code: 'repository-partial',
    kind: 'input',
    message: `${facts.gitDir}: a partial clone: ${missing.length} file contents are missing and are never fetched from here`,
    hint: 'Clone it without --filter, or run `git fetch --refetch --no-filter` in it.',
  });
}

/** Renames are looked for among similar files; where a blob turns out to be missing, among equal ones only. */
async function readTolerant(repository: Repository, request: RawRequest): Promise<RawHistory> {
  const { facts } = request;
  try {
    const history = await readOnce(repository, request, 'similar');
    return facts.mayLackObjects ? await withMissing(repository, history) : history;
  } catch (thrown) {
    if (!isMissingObject(thrown)) throw thrown;
  }
  return withMissing(repository, await readOnce(repository, request, 'exact'));
}

async function readOnce(
  repository: Repository,
  { facts, head, signal }: RawRequest,
  renames: RenameMode,
): Promise<RawHistory> {
  const collector = new RawCollector();
  await walkRaw(repository.place, { head, renames, ...(signal === undefined ? {} : { signal }) }, collector);
  const completeness = facts.isShallow ? 'shallow' : 'complete';
  return new RawHistory(
    { head, gitVersion: facts.gitVersion, idBytes: head.length / 2, renames, completeness },
    collector.finish(),
  );
}

async function withMissing(repository: Repository, history: RawHistory): Promise<RawHistory> {
  const ids = { bytes: history.columns.objectIds, idBytes: history.head.idBytes };
  const missing = await missingObjects(repository, ids, history.blobIndices());
  if (missing.length === 0) return history;
  const columns = { ...history.columns, missing: Uint32Array.from(missing) };
  const completeness = history.head.completeness === 'shallow' ? 'shallow' : 'partial';
  return new RawHistory({ ...history.head, completeness }, columns);
}

function isMissingObject(thrown: unknown): boolean {
  if (!(thrown instanceof Fault) || thrown.code !== 'git-failed') return false;
  const words = String(thrown.context.stderr ?? '');
  return (
    /unable to read|missing|could not fetch|cannot read/i.test(words) && !/inflate|corrupt|hash mismatch/i.test(words)
  );
}
