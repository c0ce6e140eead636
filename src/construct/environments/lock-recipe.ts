import { join } from 'node:path';
import { keyOfText } from '#git/index.js';
import { readText } from '#store/index.js';
import { installedPackages } from './installed-packages.js';
import { NPM } from './node-recipe.js';
import { PIP, VENV } from './python-recipe.js';
import type { Recipe } from './recipe.js';

/** Exact commands over exact inputs: they make the same content again, on any machine, at any time. */
export type LockedRecipe = {
  commands: string[][];
  /** Path key to text. */
  inputs: Record<string, string>;
};

const INCOMPLETE = 'The package client left no lock file; install its current version.';

/** Locks what an attempt has installed in `folder`: npm's own lock file, or every Python package with its version. */
export async function lockRecipe(recipe: Recipe, folder: string, commands: readonly string[][]): Promise<LockedRecipe> {
  if (recipe.kind === 'python') {
    const packages = Object.entries(await installedPackages(recipe, folder));
    const text = packages.map(([name, version]) => `${name}==${version}\n`).join('');
    return {
      commands: [VENV, [...PIP, '--no-deps', '-r', 'requirements.lock.txt']],
      inputs: { 'requirements.lock.txt': text },
    };
  }
  const peers = commands.some((argv) => argv.includes('--legacy-peer-deps')) ? ['--legacy-peer-deps'] : [];
  const read = (name: string): Promise<string> => readText(join(folder, name), INCOMPLETE);
  return {
    commands: [['npm', 'ci', ...peers, ...NPM]],
    inputs: {
      [keyOfText('package.json')]: await read('package.json'),
      [keyOfText('package-lock.json')]: await read('package-lock.json'),
    },
  };
}
