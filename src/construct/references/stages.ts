import type { TreeFile } from '#git/index.js';

/** A file at a path of some tree; `path` is a key as of `pathKey`. */
export interface PathEntry extends TreeFile {
  path: string;
}

/** One file patch: what stood there and what stands there since. Both sides, with unequal paths: a rename. */
export interface PathChange {
  before: PathEntry | null;
  after: PathEntry | null;
}

/** A historical commit against its first parent (a root against nothing; a merge brings its whole branch). */
export interface StageCommit {
  oid: string;
  /** First parent; null for a root. */
  parent: string | null;
  tree: string;
  /** Tree of the first parent; the empty tree for a root. */
  parentTree: string;
  /** First line of the message, decoded for people. */
  subject: string;
  /** Whole message, decoded for people. */
  message: string;
  changes: PathChange[];
}

export interface Stage {
  index: number;
  /** Oldest first. */
  commits: StageCommit[];
}

/** A step of history on the way from the first chain commit to the checkpoint. */
export interface HistoryStep {
  parent: string | null;
  commit: string;
}

/** A chain named commit by commit, checked against the repository's history. */
export interface Stages {
  checkpoint: { oid: string; tree: string };
  stages: Stage[];
  /**
   * One path through history that passes every chain commit by its first parent and ends at the checkpoint; null where
   * the chain's commits lie on parallel branches, so that no single path tells the story of a file.
   */
  path: HistoryStep[] | null;
}

/** All commits of a chain in the order in which they are removed last to first. */
export function chainCommits(stages: readonly Stage[]): { commit: StageCommit; stage: number }[] {
  return stages.flatMap((stage) => stage.commits.map((commit) => ({ commit, stage: stage.index })));
}

/** The key by which a change is known: the path after it, or the path that it ended. */
export function pathOf(change: PathChange): string {
  return change.after?.path ?? change.before?.path ?? '';
}

/** For messages: stage, short id and subject. */
export function nameCommit(stage: number, commit: Pick<StageCommit, 'oid' | 'subject'>): string {
  return `stage ${stage}, commit ${commit.oid.slice(0, 12)} (${commit.subject})`;
}
