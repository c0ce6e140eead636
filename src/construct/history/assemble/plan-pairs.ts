import { classifyPath, type LanguageName, languageOf } from '#languages/index.js';
import { type FileVersion, type PairRequest, pairKey } from '../facts/facts-job.js';
import type { EntryKind, FileChange, FileRole, HistoryCommit } from '../history.js';
import type { PathEvents } from './path-events.js';

/** Files of these roles are nobody's work, or no code. */
const UNPARSED_ROLES: ReadonlySet<FileRole> = new Set(['generated', 'vendored', 'binary', 'lock', 'docs']);

/** A change of a commit with the versions to compare. Merges have one more: against what the branch had left. */
export interface PlannedPair {
  change: FileChange;
  pair: PairRequest;
  branchPair: PairRequest | null;
}

const languageByPath = new Map<string, LanguageName | null>();

/** The language under which a path is parsed; null for paths of other languages and of roles that are not parsed. */
function parsedLanguage(path: string): LanguageName | null {
  const known = languageByPath.get(path);
  if (known !== undefined) return known;
  const name = UNPARSED_ROLES.has(classifyPath(path)) ? null : (languageOf(path)?.name ?? null);
  languageByPath.set(path, name);
  return name;
}

/** The version of a file at a path, or null where it is not parsed. Path and kind alone decide, never the content. */
export function versionAt(path: string, kind: EntryKind, blob: string | null): FileVersion | null {
  if (blob === null || (kind !== 'file' && kind !== 'executable')) return null;
  const language = parsedLanguage(path);
  return language === null ? null : { oid: blob, language };
}

/** What has to be compared to know what a commit did to definitions. */
export function planPairs(commit: HistoryCommit, events: PathEvents): PlannedPair[] {
  const isMerge = commit.parents.length > 1;
  const changes = isMerge ? commit.ownChanges.flatMap((at) => commit.changes[at] ?? []) : commit.changes;
  return changes.flatMap((change) => {
    const old = versionAt(change.from ?? change.path, change.before, change.oldBlob);
    const now = versionAt(change.path, change.after, change.newBlob);
    if (old === null && now === null) return [];
    const planned: PlannedPair = { change, pair: request(old, now), branchPair: null };
    const left = isMerge ? events.leftByBranch(change.path, commit.firstParent, commit.index) : undefined;
    if (left !== undefined) planned.branchPair = request(versionAt(change.path, change.after, left), now);
    return [planned];
  });
}

function request(old: FileVersion | null, now: FileVersion | null): PairRequest {
  return { key: pairKey(old, now), old, new: now };
}
