import { Option } from 'commander';
import { chooseSandbox, type SandboxKind } from '#sandbox/index.js';

/** `--sandbox`, the same for every command that runs code. */
export function sandboxOption(): Option {
  return new Option('--sandbox <kind>', 'where untrusted code runs')
    .choices(['auto', 'bwrap', 'docker', 'local'])
    .default('auto');
}

/**
 * The kind that `auto` means here. Code from a repository's history is not trusted either, but its tests may be run without
 * isolation where the operator has nothing better: `local` has to be asked for by name.
 */
export function sandboxKindOf(option: SandboxKind | 'auto'): Promise<SandboxKind> {
  return option === 'auto' ? chooseSandbox({ isolatingNeeded: true }) : Promise.resolve(option);
}
