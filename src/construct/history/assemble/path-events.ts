/** What each commit left at each path, in topological order: enough to tell what a merge did not take from a parent. */
export class PathEvents {
  private readonly commits = new Map<string, number[]>();
  private readonly blobs = new Map<string, (string | null)[]>();

  add(path: string, commit: number, blob: string | null): void {
    const commits = this.commits.get(path);
    if (commits === undefined) {
      this.commits.set(path, [commit]);
      this.blobs.set(path, [blob]);
    } else {
      commits.push(commit);
      this.blobs.get(path)?.push(blob);
    }
  }

  /** Whether a commit after `firstParent` (the branch), or else any earlier one, left this content at the path. */
  wasLeft(path: string, blob: string | null, firstParent: number): boolean {
    const commits = this.commits.get(path) ?? [];
    const blobs = this.blobs.get(path) ?? [];
    let seenInBranch = false;
    for (let at = commits.length - 1; at >= 0; at -= 1) {
      const inBranch = (commits[at] ?? -1) > firstParent;
      if (!inBranch && seenInBranch) return false;
      if (blobs[at] === blob) return true;
      seenInBranch ||= inBranch;
    }
    return false;
  }

  /** What the branch between `firstParent` and `merge` left at the path; undefined where it did not touch it. */
  leftByBranch(path: string, firstParent: number, merge: number): string | null | undefined {
    const commits = this.commits.get(path) ?? [];
    for (let at = commits.length - 1; at >= 0; at -= 1) {
      const commit = commits[at] ?? -1;
      if (commit <= firstParent) return undefined;
      if (commit < merge) return this.blobs.get(path)?.[at];
    }
    return undefined;
  }
}
