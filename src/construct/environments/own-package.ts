import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwn } from './python-recipe.js';
import type { Recipe } from './recipe.js';

/**
 * Replaces every installed copy of the project itself by a link to the workspace: any version of it may hold the solution.
 * @returns what was replaced, in words
 */
export function linkOwnPackage(recipe: Recipe, folder: string): Promise<string[]> {
  if (recipe.kind === 'node') return linkNodePackage(recipe, folder);
  if (recipe.kind === 'python') return linkPythonPackage(recipe, folder);
  return Promise.resolve([]);
}

async function linkNodePackage({ ownPackage }: Recipe, folder: string): Promise<string[]> {
  if (ownPackage === null) return [];
  const replaced: string[] = [];
  const look = async (modules: string): Promise<void> => {
    const own = join(modules, ownPackage);
    if (await isFolder(own)) {
      await rm(own, { recursive: true });
      await symlink('/workspace', own);
      replaced.push(own.slice(folder.length + 1));
    }
    for (const name of await namesIn(modules)) {
      const inner = name.startsWith('@')
        ? (await namesIn(join(modules, name))).map((scoped) => join(name, scoped))
        : [name];
      for (const one of inner)
        if (await isFolder(join(modules, one, 'node_modules'))) await look(join(modules, one, 'node_modules'));
    }
  };
  const top = join(folder, 'node_modules');
  await look(top);
  // Tests import the project by its name too; without an installed copy the name would lead nowhere.
  if (!replaced.some((path) => path === join('node_modules', ownPackage))) {
    await mkdir(join(top, ownPackage, '..'), { recursive: true });
    await symlink('/workspace', join(top, ownPackage));
  }
  return replaced;
}

async function linkPythonPackage(recipe: Recipe, folder: string): Promise<string[]> {
  const [python] = (await namesIn(join(folder, 'venv', 'lib'))).filter((name) => name.startsWith('python'));
  if (python === undefined) return [];
  const site = join(folder, 'venv', 'lib', python, 'site-packages');
  const replaced: string[] = [];
  for (const name of await namesIn(site)) {
    const match = /^(.+)-[^-]+\.dist-info$/.exec(name);
    if (match === null || !isOwn(match[1] as string, recipe.ownPackage)) continue;
    for (const top of await topLevel(join(site, name))) await rm(join(site, top), { recursive: true, force: true });
    await rm(join(site, name), { recursive: true });
    replaced.push(`site-packages/${name}`);
  }
  if (recipe.ownPackage !== null) await writeMetadata(recipe, site);
  return replaced;
}

/** Top-level names that a distribution installed, by its RECORD. */
async function topLevel(distInfo: string): Promise<string[]> {
  const record = await readFile(join(distInfo, 'RECORD'), 'utf8');
  const names = record.split('\n').map((line) => line.split('/')[0]?.split(',')[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '' && name !== '..' && !name.endsWith('.dist-info'));
}

/** What `importlib.metadata` and entry points need to find the project, without a line of its code. */
async function writeMetadata({ ownPackage, ownVersion, entryPoints }: Recipe, site: string): Promise<void> {
  const name = (ownPackage ?? '').replace(/[-.]+/g, '_');
  const version = ownVersion ?? '0.0.0';
  const distInfo = join(site, `${name}-${version}.dist-info`);
  await mkdir(distInfo, { recursive: true });
  await writeFile(join(distInfo, 'METADATA'), `Metadata-Version: 2.1\nName: ${ownPackage}\nVersion: ${version}\n`);
  await writeFile(join(distInfo, 'INSTALLER'), 'featurearc\n');
  await writeFile(join(distInfo, 'RECORD'), '');
  const scripts = Object.entries(entryPoints).map(([program, target]) => `${program} = ${target}`);
  if (scripts.length > 0)
    await writeFile(join(distInfo, 'entry_points.txt'), `[console_scripts]\n${scripts.join('\n')}\n`);
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return (await isFolder(folder)) ? (await readdir(folder)).sort() : [];
}
