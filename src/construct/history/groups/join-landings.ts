import type { HistoryCommit } from '../history.js';
import type { GroupPlan } from './group-plan.js';

/** One rebase writes its commits within this time. */
const MAX_GAP_MS = 3_000;

/**
 * Joins what one rebase put onto the line in one go: neighbours that one person committed in the same instant, and that
 * somebody else wrote at other times. That is a pull request without a merge. What a second person wrote is another one;
 * commits of who landed it belong to it where they follow.
 */
export function joinLandings(plans: readonly GroupPlan[], commits: readonly HistoryCommit[]): GroupPlan[] {
  const joined: GroupPlan[] = [];
  for (const plan of plans) {
    const before = joined.at(-1);
    if (before !== undefined && isSameLanding(before, plan, commits)) {
      before.commits.push(...plan.commits);
      before.landedBy = Math.max(before.landedBy, plan.landedBy);
      before.kind = 'landing';
    } else joined.push({ ...plan, commits: [...plan.commits] });
  }
  return joined;
}

function isSameLanding(before: GroupPlan, plan: GroupPlan, commits: readonly HistoryCommit[]): boolean {
  if (plan.kind !== 'single' || (before.kind !== 'single' && before.kind !== 'landing')) return false;
  const last = commits[before.commits.at(-1) ?? -1];
  const next = commits[plan.commits[0] ?? -1];
  if (last === undefined || next === undefined || next.firstParent !== last.index) return false;
  if (last.committer.mappedName !== next.committer.mappedName || last.committedAt === null || next.committedAt === null)
    return false;
  if (Math.abs(Date.parse(next.committedAt) - Date.parse(last.committedAt)) > MAX_GAP_MS) return false;
  if (isBuildOnly(last) !== isBuildOnly(next)) return false;
  // A person's own commits may have been rebased together without belonging together.
  const contributor = before.commits.flatMap((index) => commits[index] ?? []).find(isForeign);
  return contributor !== undefined && (!isForeign(next) || next.author.mappedName === contributor.author.mappedName);
}

function isForeign({ author, committer }: HistoryCommit): boolean {
  return author.mappedName !== committer.mappedName && author.mappedEmail !== committer.mappedEmail;
}

function isBuildOnly(commit: HistoryCommit): boolean {
  return commit.changes.length > 0 && commit.changes.every(({ role }) => role === 'build' || role === 'lock');
}
