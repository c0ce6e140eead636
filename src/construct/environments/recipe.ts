import type { Environment } from '#documents/environment.js';
import type { RunnerName } from '#documents/test-identity.js';

/** What the files of S_0 ask for: the inputs copied beside the install, and the commands in the order in which to try them. */
export interface Recipe {
  kind: Environment['recipe']['kind'];
  /** Name under which the project itself would be installed; null where it has none. */
  ownPackage: string | null;
  /** Version the project claims, for its metadata; null where it cannot be told. */
  ownVersion: string | null;
  /** Files put into the install folder: path key to content. */
  inputs: Map<string, Buffer>;
  /** Alternatives, best first: each a list of commands. The first that succeeds counts. */
  attempts: { why: string; commands: string[][] }[];
  /** Command-line programs of the project, `name` to `module:function`. */
  entryPoints: Record<string, string>;
}

/** Reads a file of S_0 by its path as text; null where there is none. */
export type ReadInitial = (path: string) => Promise<Buffer | null>;

export type ChooseRecipe = (read: ReadInitial, runner: RunnerName) => Promise<Recipe>;
