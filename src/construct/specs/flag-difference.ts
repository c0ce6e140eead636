import type { ContractEntry } from './material.js';
import type { StageReading } from './read-stage.js';

/** Text that looks like a command line's flag. */
export const FLAG = /^--?[A-Za-z][\w-]*$/;

/**
 * Flags that F2P tests pass and that are spelled nowhere in the source, because a library makes them of names
 * (`base_directory` becomes `--base-directory`): those whose name the stage brings.
 */
export function flagDifference({ usage, newIdentifiers, material }: StageReading): ContractEntry[] {
  const flags = [...usage.literals]
    .map((literal) => literal.replace(/=.*$/s, ''))
    .filter((literal) => FLAG.test(literal) && literal.startsWith('--'));
  return [...new Set(flags)]
    .filter((flag) => !usage.declaredFlags.has(flag) && !material.workspace.hasText(flag))
    .filter((flag) => newIdentifiers.has(flag.slice(2).replaceAll('-', '_')))
    .map((flag) => ({
      kind: 'flag',
      name: flag,
      module: null,
      signature: null,
      value: null,
      error: null,
      examples: [],
      change: 'new',
      needed: [flag],
    }));
}
