import type { ChangeGroup, HistoryCommit } from '../history.js';
import { ownFileChanges } from './net-changes.js';

/**
 * Marks groups that later groups take back, land again, or repeat: by what messages say (`This reverts commit …`,
 * `Revert "…"`, `cherry picked from commit …`) and by effect (the exact inverse of an earlier change; the same author,
 * instant and subject on another branch).
 */
export function markCancelled(groups: ChangeGroup[], commits: readonly HistoryCommit[]): void {
  const groupOf = new Map<number, ChangeGroup>();
  for (const group of groups) for (const index of group.commitIndexes) groupOf.set(index, group);
  const reverted = new RevertFinder(commits);
  const twins = new Map<string, ChangeGroup>();
  const byPullRequest = new Map(
    groups.flatMap((group) =>
      group.references.pullRequest === null ? [] : [[group.references.pullRequest, group] as const],
    ),
  );
  for (const group of groups) {
    const number = /\brevert(?:s|ed|ing)?\s+(?:PR|pull request)\s+#(\d+)/i.exec(group.title)?.[1];
    const target = number === undefined ? undefined : byPullRequest.get(Number(number));
    if (target !== undefined && target.index < group.index) group.references.reverts.push(...target.commitIndexes);
    for (const index of group.commitIndexes) {
      const found = reverted.revertedBy(index);
      if (found !== null && !group.references.reverts.includes(found)) group.references.reverts.push(found);
    }
    takeBack(group, groupOf);
    markTwin(group, commits, groupOf, twins);
  }
}

/** A group counts as taken back when commits with most of its changes are. */
function takeBack(group: ChangeGroup, groupOf: ReadonlyMap<number, ChangeGroup>): void {
  const counts = new Map<ChangeGroup, number>();
  for (const index of group.references.reverts) {
    const target = groupOf.get(index);
    if (target !== undefined && target !== group && target.index < group.index)
      counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  for (const [target, count] of counts) {
    const isMerge = target.kind === 'merge' && group.references.reverts.includes(target.commitIndexes.at(-1) ?? -1);
    if (!isMerge && count * 2 < target.commitIndexes.length) continue;
    target.revertedBy = group.index;
    if (target.references.reverts.length === 0) continue;
    // Taking back a group that took something back lands that again.
    const again = target.references.reverts.map((index) => groupOf.get(index)).find((held) => held !== undefined);
    if (again === undefined) continue;
    again.revertedBy = null;
    group.relandOf = again.index;
  }
}

function markTwin(
  group: ChangeGroup,
  commits: readonly HistoryCommit[],
  groupOf: ReadonlyMap<number, ChangeGroup>,
  twins: Map<string, ChangeGroup>,
): void {
  const picked = group.references.cherryPickedFrom
    .map((index) => groupOf.get(index))
    .find((held) => held !== undefined && held !== group);
  if (picked !== undefined) group.duplicateOf = picked.index;
  for (const index of group.commitIndexes) {
    const commit = commits[index];
    if (commit === undefined || commit.parents.length > 1 || commit.authoredAt === null || commit.subject === '')
      continue;
    const key = `${commit.author.name}\0${commit.authoredAt}\0${commit.subject}`;
    const twin = twins.get(key);
    if (twin === undefined) twins.set(key, group);
    else if (twin !== group && group.duplicateOf === null && group.commitIndexes.length <= 2) {
      group.duplicateOf = twin.index;
    }
  }
}

/** Contents that come back long after are chance. */
const MAX_INVERSE_DISTANCE = 100;

/** Finds what a commit takes back without its hash being named. */
class RevertFinder {
  private readonly bySubject = new Map<string, number[]>();
  private readonly byEffect = new Map<string, number>();
  private readonly found = new Map<number, number>();

  constructor(commits: readonly HistoryCommit[]) {
    for (const commit of commits) {
      const found = this.bySubjectOf(commit) ?? this.byInverse(commit);
      if (found !== null) this.found.set(commit.index, found);
      const same = this.bySubject.get(commit.subject);
      if (same === undefined) this.bySubject.set(commit.subject, [commit.index]);
      else same.push(commit.index);
      const effect = effectOf(commit, false);
      if (effect !== null) this.byEffect.set(effect, commit.index);
    }
  }

  revertedBy(commit: number): number | null {
    return this.found.get(commit) ?? null;
  }

  private bySubjectOf(commit: HistoryCommit): number | null {
    const quoted =
      /^revert(?:s|ed)?:?\s+"?(.+?)"?$/i.exec(withoutNumber(commit.subject))?.[1] ??
      /\brevert(?:s|ed)?\s+"(.+)"/i.exec(commit.subject)?.[1];
    const named =
      quoted === undefined
        ? undefined
        : (this.bySubject.get(quoted.trim()) ?? this.bySubject.get(quoted.trim().replace(/^"|"$/g, '')));
    const again = /^Reapply "(.*)"/.exec(commit.subject)?.[1];
    const relanded = again === undefined ? undefined : this.bySubject.get(`Revert "${again}"`);
    return named?.at(-1) ?? relanded?.at(-1) ?? null;
  }

  private byInverse(commit: HistoryCommit): number | null {
    const inverse = effectOf(commit, true);
    const found = inverse === null ? undefined : this.byEffect.get(inverse);
    return found === undefined || commit.index - found > MAX_INVERSE_DISTANCE ? null : found;
  }
}

function withoutNumber(subject: string): string {
  return subject.replace(/\s*\(#\d+\)\s*$/, '');
}

/** Exactly which contents became which; null for commits without source or test changes. */
function effectOf(commit: HistoryCommit, inverse: boolean): string | null {
  const changes = ownFileChanges(commit);
  if (
    commit.parents.length > 1 ||
    changes.length > 200 ||
    !changes.some(({ role }) => role === 'source' || role === 'test')
  )
    return null;
  return changes
    .map(({ lineage, oldBlob, newBlob }) =>
      inverse ? `${lineage}:${newBlob}>${oldBlob}` : `${lineage}:${oldBlob}>${newBlob}`,
    )
    .sort()
    .join(' ');
}
