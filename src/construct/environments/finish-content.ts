import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { linkOwnPackage } from './own-package.js';
import type { Recipe } from './recipe.js';

/** Folders of a Node environment that tools write to: each run gets its own, mounted over these. */
export const NODE_SCRATCH = [
  'node_modules/.vite',
  'node_modules/.vite-temp',
  'node_modules/.cache',
  'node_modules/.vitest',
];

/** What an install folder holds beside the content: manifests, locks, and the manager's own record of them. */
const LEFTOVERS = [
  'package.json',
  'package-lock.json',
  'requirements.txt',
  'requirements.lock.txt',
  'pinned.txt',
  'node_modules/.package-lock.json',
];

/**
 * Turns an install folder into an environment's content: the project itself becomes a link, leftovers go.
 * @returns paths of the installed copies of the project that were replaced
 */
export async function finishContent(recipe: Recipe, folder: string): Promise<string[]> {
  const replaced = await linkOwnPackage(recipe, folder);
  for (const path of [...recipe.inputs.keys(), ...LEFTOVERS]) await rm(join(folder, path), { force: true });
  if (recipe.kind === 'node')
    for (const scratch of NODE_SCRATCH) await mkdir(join(folder, scratch), { recursive: true });
  return replaced;
}
