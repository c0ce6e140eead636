import type { GroupKind, HistoryCommit } from '../history.js';

/** Which commits are one change, before anything is said about it. */
export interface GroupPlan {
  kind: GroupKind;
  /** Indices, ascending; a merge is the last. */
  commits: number[];
  /** The mainline commit by which the work arrived. */
  landedBy: number;
}

const PULL_REQUEST = /^Merge (?:pull request|PR) #\d+|\(#(\d+)\)\s*$/;
/** A branch with more commits than this and no merges of its own is a line of development, not one change. */
const MAX_BRANCH_COMMITS = 60;

/**
 * Cuts a history into changes by its shape: a merge with its branch, each pull request of a merged line of
 * development, each branch of an octopus, and the commits made on the mainline itself.
 */
export function planGroups(commits: readonly HistoryCommit[]): GroupPlan[] {
  const planner = new Planner(commits);
  for (const commit of commits) if (commit.onMainline) planner.land(commit);
  return planner.plans.sort((a, b) => a.landedBy - b.landedBy || last(a) - last(b));
}

function last(plan: GroupPlan): number {
  return plan.commits.at(-1) ?? -1;
}

class Planner {
  readonly plans: GroupPlan[] = [];
  private readonly taken: Uint8Array;

  constructor(private readonly commits: readonly HistoryCommit[]) {
    this.taken = new Uint8Array(commits.length);
    for (const commit of commits) if (commit.onMainline) this.taken[commit.index] = 1;
  }

  land(commit: HistoryCommit): void {
    const branches = commit.parents.slice(1).map((tip) => this.takeBranch(tip));
    branches.forEach((branch, at) => {
      const merge = at === branches.length - 1 ? commit : null;
      this.planBranch(branch, commit.parents[at + 1] ?? -1, merge, commit.index);
    });
    if (branches.length === 0)
      this.plans.push({ kind: kindOf(commit), commits: [commit.index], landedBy: commit.index });
  }

  /** Commits that only this parent brings, ascending. */
  private takeBranch(tip: number): number[] {
    const found: number[] = [];
    const open = [tip];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next < 0 || this.taken[next] === 1) continue;
      this.taken[next] = 1;
      found.push(next);
      open.push(...(this.commits[next]?.parents ?? []));
    }
    return found.sort((a, b) => a - b);
  }

  private planBranch(branch: readonly number[], tip: number, merge: HistoryCommit | null, landedBy: number): void {
    const members = new Set(branch);
    const inner = this.innerMerges(members, tip);
    if (!this.isLine(branch, inner)) {
      const all = merge === null ? [...branch] : [...branch, merge.index];
      if (all.length > 0) this.plans.push({ kind: 'merge', commits: all, landedBy });
      return;
    }
    for (const at of inner) {
      members.delete(at);
      this.planMerge(at, members, landedBy);
    }
    for (const index of [...members].sort((a, b) => a - b)) {
      const commit = this.commits[index];
      if (commit !== undefined) this.plans.push({ kind: kindOf(commit), commits: [index], landedBy });
    }
    if (merge !== null && merge.ownChanges.length > 0)
      this.plans.push({ kind: 'merge', commits: [merge.index], landedBy });
  }

  /** A merge inside a line of development, with the branches that it brought. */
  private planMerge(at: number, members: Set<number>, landedBy: number): void {
    const merge = this.commits[at];
    const tips = merge?.parents.slice(1) ?? [];
    tips.forEach((tip, which) => {
      const own = reachable(this.commits, [tip], members);
      for (const index of own) members.delete(index);
      this.planBranch(own, tip, which === tips.length - 1 ? (merge ?? null) : null, landedBy);
    });
  }

  /** A line of development brings several pull requests; a branch is one. */
  private isLine(branch: readonly number[], inner: readonly number[]): boolean {
    if (inner.length > 1 || branch.length > MAX_BRANCH_COMMITS) return true;
    if (inner.some((at) => PULL_REQUEST.test(this.commits[at]?.subject ?? ''))) return true;
    const squashed = new Set(branch.map((at) => PULL_REQUEST.exec(this.commits[at]?.subject ?? '')?.[1]));
    squashed.delete(undefined);
    return squashed.size > 1;
  }

  /** Merges on the branch's own first-parent line that bring commits of the branch: pull requests of a longer line. */
  private innerMerges(members: ReadonlySet<number>, tip: number): number[] {
    const found: number[] = [];
    for (let at = tip; members.has(at); at = this.commits[at]?.firstParent ?? -1) {
      if ((this.commits[at]?.parents.slice(1) ?? []).some((parent) => members.has(parent))) found.push(at);
    }
    return found.reverse();
  }
}

function kindOf(commit: HistoryCommit): GroupKind {
  return PULL_REQUEST.test(commit.subject) ? 'squash' : 'single';
}

function reachable(commits: readonly HistoryCommit[], tips: readonly number[], members: ReadonlySet<number>): number[] {
  const found = new Set<number>();
  const open = [...tips];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!members.has(next) || found.has(next)) continue;
    found.add(next);
    open.push(...(commits[next]?.parents ?? []));
  }
  return [...found].sort((a, b) => a - b);
}
