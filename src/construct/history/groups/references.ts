import type { HistoryCommit, References } from '../history.js';

/** Finds commits by the beginning of their id, where that is unique. */
export class CommitFinder {
  private readonly sorted: { id: string; index: number }[];

  constructor(commits: readonly HistoryCommit[]) {
    this.sorted = commits.map(({ id, index }) => ({ id, index })).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Index of the only commit whose id begins so; null where there is none, or several. */
  find(prefix: string): number | null {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle]?.id ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    const found = this.sorted[low];
    if (found === undefined || !found.id.startsWith(prefix)) return null;
    return this.sorted[low + 1]?.id.startsWith(prefix) ? null : found.index;
  }
}

const ISSUE = /(?:^|[^\w&/#])(?:GH-|#)(\d{1,7})\b|\/(?:issues|pull|pulls|merge_requests)\/(\d{1,7})\b/g;
const CLOSES =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+(?:issue\s+)?(?:[\w.-]+\/[\w.-]+)?(?:GH-|#|https?:\/\/\S+\/issues\/)(\d{1,7})\b/gi;
const PULL_REQUEST = /^Merge (?:pull request|PR) #(\d+)|\(#(\d+)\)\s*$/;
const HASH = /\b[0-9a-f]{7,40}\b/g;
const REVERTS = /(?:\breverts commit|^revert:?|\brevert(?:s|ed|ing)? (?:commit )?)\s*"?([0-9a-f]{7,64})\b/gim;
const PICKED = /\bcherry[- ]picked from commit ([0-9a-f]{7,64})/gi;
const TRAILER =
  /^([A-Za-z][A-Za-z0-9-]*-(?:by|to|for|from|id|at)|Fixes|Closes|Refs|See-also|Change-Id|BREAKING CHANGE):\s+(.+)$/;

/** What the messages of some commits refer to. Hashes count only where they name one commit of this history. */
export function referencesOf(commits: readonly HistoryCommit[], finder: CommitFinder): References {
  const issues = new Set<number>();
  const closes = new Set<number>();
  const named = new Set<number>();
  const reverts = new Set<number>();
  const picked = new Set<number>();
  const trailers: References['trailers'] = [];
  let pullRequest: number | null = null;
  for (const { message, subject } of commits) {
    for (const match of message.matchAll(ISSUE)) issues.add(Number(match[1] ?? match[2]));
    for (const match of message.matchAll(CLOSES)) closes.add(Number(match[1]));
    const own = PULL_REQUEST.exec(subject);
    if (own !== null) pullRequest = Number(own[1] ?? own[2]);
    addFound(reverts, message, REVERTS, finder);
    addFound(picked, message, PICKED, finder);
    for (const [hash] of message.matchAll(HASH)) {
      // Seven digits may be a date or a size.
      const index = /[a-f]/.test(hash) || hash.length >= 40 ? finder.find(hash) : null;
      if (index !== null) named.add(index);
    }
    for (const line of lastParagraph(message)) {
      const match = TRAILER.exec(line);
      if (match !== null) trailers.push({ name: (match[1] ?? '').toLowerCase(), value: (match[2] ?? '').trim() });
    }
  }
  return {
    issues: sorted(issues),
    pullRequest,
    closes: sorted(closes),
    commits: sorted(named),
    reverts: sorted(reverts),
    cherryPickedFrom: sorted(picked),
    trailers,
  };
}

function addFound(into: Set<number>, message: string, pattern: RegExp, finder: CommitFinder): void {
  for (const match of message.matchAll(pattern)) {
    const index = finder.find((match[1] ?? '').toLowerCase());
    if (index !== null) into.add(index);
  }
}

function lastParagraph(message: string): string[] {
  return (
    message
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1)
      ?.split('\n') ?? []
  );
}

function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
