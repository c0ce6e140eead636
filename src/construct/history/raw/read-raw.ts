import {
  missingObjects,
  type RawWalkSink,
  type RenameMode,
  type Repository,
  type RepositoryFacts,
  walkRaw,
} from '#git/index.js';
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
  /** Told now and then how many changes have been read. */
  onChanges?: (changes: number) => void;
}

/** A clone that lacks a larger share of its blobs was made without them; below, some blob is damaged or was too large. */
const TOLERATED_MISSING_SHARE = 0.02;

/**
 * Commits and changes of everything that `head` reaches: from the cache, or read and then kept.
 * @throws Fault `repository-shallow` (input) unless incomplete pasts are allowed; `git-failed` (input)
 */
export async function readRaw(repository: Repository, request: RawRequest): Promise<RawHistory> {
  const { facts, cacheFolder, head } = request;
  if (facts.isShallow && !request.allowIncomplete) throw shallowFault(facts);
  const file = cacheFolder === null || facts.isShallow ? null : rawFileOf(cacheFolder, head);
  const kept = file === null ? null : await loadRaw(file);
  if (kept !== null && kept.head.gitVersion === facts.gitVersion) return kept;
  const history = await readTolerant(repository, request);
  // With exact renames only a history is a makeshift: the missing blob may be there next time.
  if (file !== null && history.head.renames === 'similar') await saveRaw(file, history);
  return history;
}

/**
 * Marks the blobs that the repository lacks. Only asked where there is a reason: blobs were left out when cloning, or
 * comparing renames has failed for want of one.
 * @throws Fault `repository-partial` (input) where many are missing, unless incomplete pasts are allowed
 */
export async function checkBlobs(
  repository: Repository,
  history: RawHistory,
  request: RawRequest,
): Promise<RawHistory> {
  const { facts, allowIncomplete } = request;
  if (!facts.mayLackObjects && history.head.renames === 'similar') return history;
  const ids = { bytes: history.columns.objectIds, idBytes: history.head.idBytes };
  const missing = await missingObjects(repository, ids, history.blobIndices());
  if (missing.length === 0) return history;
  if (!allowIncomplete && missing.length > TOLERATED_MISSING_SHARE * (ids.bytes.length / ids.idBytes)) {
    throw new Fault({
      code: 'repository-partial',
      kind: 'input',
      message: `${facts.gitDir}: a partial clone: ${missing.length} file contents are missing and are never fetched from here`,
      hint: 'Clone it without --filter, or run `git fetch --refetch --no-filter` in it.',
    });
  }
  const columns = { ...history.columns, missing: Uint32Array.from(missing) };
  return new RawHistory(
    { ...history.head, completeness: history.head.completeness === 'shallow' ? 'shallow' : 'partial' },
    columns,
  );
}

function shallowFault(facts: RepositoryFacts): Fault {
  return new Fault({
    code: 'repository-shallow',
    kind: 'input',
    message: `${facts.gitDir}: a shallow clone: its past is cut off, so its oldest commits look as if they had added everything`,
    hint: 'Run `git fetch --unshallow` in it, or clone it whole.',
  });
}

/** Renames are looked for among similar files; where a blob turns out to be missing, among equal ones only. */
async function readTolerant(repository: Repository, request: RawRequest): Promise<RawHistory> {
  try {
    return await readOnce(repository, request, 'similar');
  } catch (thrown) {
    if (!isMissingObject(thrown)) throw thrown;
  }
  return readOnce(repository, request, 'exact');
}

async function readOnce(
  repository: Repository,
  { facts, head, signal, onChanges }: RawRequest,
  renames: RenameMode,
): Promise<RawHistory> {
  const collector = new RawCollector();
  const sink = onChanges === undefined ? collector : counted(collector, onChanges);
  await walkRaw(repository.place, { head, renames, ...(signal === undefined ? {} : { signal }) }, sink);
  const completeness = facts.isShallow ? 'shallow' : 'complete';
  return new RawHistory(
    { head, gitVersion: facts.gitVersion, idBytes: head.length / 2, renames, completeness },
    collector.finish(),
  );
}

const TOLD_EVERY = 2_000;

function counted(sink: RawWalkSink, onChanges: (changes: number) => void): RawWalkSink {
  let changes = 0;
  return {
    commit: (id, parents) => sink.commit(id, parents),
    content: (id, bytes) => sink.content(id, bytes),
    record: (commit, record) => {
      sink.record(commit, record);
      changes += 1;
      if (changes % TOLD_EVERY === 0) onChanges(changes);
    },
  };
}

function isMissingObject(thrown: unknown): boolean {
  if (!(thrown instanceof Fault) || thrown.code !== 'git-failed') return false;
  const words = String(thrown.context.stderr ?? '');
  return (
    /unable to read|missing|could not fetch|cannot read|not allowed/i.test(words) &&
    !/inflate|corrupt|hash mismatch/i.test(words)
  );
}
