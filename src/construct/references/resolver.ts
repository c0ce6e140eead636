import type { Treatment } from './patch-role.js';
import type { StageCommit } from './stages.js';

/** What a file's text is before and after the patch to be removed, and in the state it is to be removed from. */
export interface Overlap {
  /** Path key in the state at hand. */
  path: string;
  /** Text that the historical commit left; null where it deleted the file. */
  base: Buffer | null;
  /** Text in the state at hand. */
  ours: Buffer | null;
  /** Text before the historical commit; null where it created the file. */
  theirs: Buffer | null;
  stage: number;
  context: ResolverContext;
}

export interface ResolverContext {
  commit: StageCommit;
  /** Position among all commits of the chain, oldest first. */
  position: number;
  /** The path by which the commit's own patch knows the file. */
  patchPath: string;
  treatment: Treatment;
  /** The file's path at the checkpoint, where it has one. */
  checkpointPath: string | null;
}

export type Resolution =
  | { kind: 'bytes'; bytes: Buffer; why: string; explained: readonly string[] }
  | { kind: 'delete'; why: string; explained: readonly string[] }
  | {
      kind: 'undecided';
      why: string;
      /** The first part that could not be decided, for the message. */
      hunk: string | null;
    };

/** One layer of removal. It never guesses: what it is not sure of is left to the next layer. */
export interface Resolver {
  /** As in provenance.json. */
  readonly layer: string;
  resolve(overlap: Overlap): Promise<Resolution>;
}
