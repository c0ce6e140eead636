import type { RunnerName } from '#documents/test-identity.js';
import type { Edit } from '../support/grade-edited.js';

/** How a cheat gives itself away: by a mark, or where it merely silences the suite, by the cause of its failure. */
export type Sign =
  | { mark: 'overlaid' | 'reset' | 'tamper' }
  | { cause: 'compile' | 'collect' | 'crash' | 'hang' | 'suite-aborted' | 'tests' };

/** One attempt to pass the hidden tests without the feature: edits on top of S_0. */
export interface Cheat {
  name: string;
  /** What it tries, in a few words. */
  how: string;
  runner: RunnerName;
  edits: Record<string, Edit>;
  sign: Sign;
  /** It passes F2P where twins are off: twins are what catches it. */
  winsWithoutTwins?: boolean;
}

/** An honest solution on top of S_1 that must pass. */
export interface HonestChange {
  name: string;
  runner: RunnerName;
  edits: Record<string, Edit>;
}
