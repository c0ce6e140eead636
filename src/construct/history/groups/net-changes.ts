import type {
  DefinitionChange,
  DefinitionChangeKind,
  FileChange,
  FileStatus,
  GroupDefinition,
  GroupFile,
  HistoryCommit,
} from '../history.js';

/** File changes that a commit made itself: of a merge only what no parent has. */
export function ownFileChanges(commit: HistoryCommit): FileChange[] {
  return commit.parents.length > 1 ? commit.ownChanges.flatMap((at) => commit.changes[at] ?? []) : commit.changes;
}

/** What some commits together did to each file; a file that came and went again is left out. */
export function netFiles(commits: readonly HistoryCommit[]): GroupFile[] {
  const files = new Map<number, GroupFile>();
  for (const commit of commits)
    for (const change of ownFileChanges(commit)) {
      const held = files.get(change.lineage);
      if (held === undefined) files.set(change.lineage, fileOf(change));
      else {
        held.status = netStatus(held.status, change.status);
        held.path = change.path;
        held.role = change.role;
        held.addedLines = sum(held.addedLines, change.addedLines);
        held.removedLines = sum(held.removedLines, change.removedLines);
      }
    }
  return [...files.values()].filter((file) => file.status !== GONE).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Stands for a file that the group added and deleted; it never leaves this file. */
const GONE = 'gone' as FileStatus;

function fileOf({ lineage, path, role, status, addedLines, removedLines }: FileChange): GroupFile {
  return { lineage, path, role, status, addedLines, removedLines };
}

function netStatus(before: FileStatus, now: FileStatus): FileStatus {
  if (now === 'deleted') return before === 'added' || before === GONE ? GONE : 'deleted';
  if (before === GONE) return 'added';
  if (before === 'deleted') return 'modified';
  return before === 'modified' ? now : before;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}

/** What some commits together did to each definition; one that came and went again is left out. */
export function netDefinitions(commits: readonly HistoryCommit[]): GroupDefinition[] {
  const definitions = new Map<string, { record: GroupDefinition; change: DefinitionChangeKind | null }>();
  for (const commit of commits)
    for (const change of commit.definitions) {
      const held = definitions.get(change.key);
      const net = held === undefined ? change.change : netChange(held.change, change.change);
      definitions.set(change.key, { record: definitionOf(change), change: net });
    }
  return [...definitions.values()]
    .flatMap(({ record, change }) => (change === null ? [] : [{ ...record, change }]))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function definitionOf(change: DefinitionChange): GroupDefinition {
  const { key, name, qualifiedName, kind, path, lineage, exported, inTest, signature } = change;
  return { key, name, qualifiedName, kind, change: change.change, path, lineage, exported, inTest, signature };
}

/** Null: as if nothing had happened. */
function netChange(before: DefinitionChangeKind | null, now: DefinitionChangeKind): DefinitionChangeKind | null {
  if (before === null) return now;
  if (now === 'removed') return before === 'added' ? null : 'removed';
  if (before === 'added') return 'added';
  if (before === 'removed') return now === 'added' ? 'body' : now;
  if (before === 'signature' || now === 'signature') return 'signature';
  return before === 'moved' || now === 'moved' ? 'moved' : 'body';
}
