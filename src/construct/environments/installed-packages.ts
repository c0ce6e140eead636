import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from '#kernel/faults.js';
import type { Recipe } from './recipe.js';

/** Exact versions of the packages at the top of an environment's content, by name, the project itself excepted. */
export async function installedPackages(recipe: Recipe, folder: string): Promise<Record<string, string>> {
  const packages = recipe.kind === 'python' ? await pythonPackages(folder) : await nodePackages(folder);
  return Object.fromEntries(
    packages.filter(([name]) => name !== recipe.ownPackage).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function pythonPackages(folder: string): Promise<[string, string][]> {
  const packages: [string, string][] = [];
  for (const python of await readdir(join(folder, 'venv', 'lib'))) {
    for (const name of await readdir(join(folder, 'venv', 'lib', python, 'site-packages'))) {
      const match = /^(.+)-([^-]+)\.dist-info$/.exec(name);
      if (match !== null) packages.push([match[1] as string, match[2] as string]);
    }
  }
  return packages;
}

async function nodePackages(folder: string): Promise<[string, string][]> {
  const top = join(folder, 'node_modules');
  const packages: [string, string][] = [];
  for (const name of await readdir(top)) {
    if (name.startsWith('.')) continue;
    const inner = name.startsWith('@') ? (await readdir(join(top, name))).map((scoped) => `${name}/${scoped}`) : [name];
    for (const one of inner) {
      const version = await manifestVersion(join(top, one, 'package.json'));
      if (version !== null) packages.push([one, version]);
    }
  }
  return packages;
}

async function manifestVersion(path: string): Promise<string | null> {
  try {
    return /"version"\s*:\s*"([^"]+)"/.exec(await readFile(path, 'utf8'))?.[1] ?? null;
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT' || errorCodeOf(thrown) === 'ENOTDIR') return null;
    throw thrown;
  }
}
