import type { Environment } from '#documents/environment.js';
import { keyOfText } from '#git/index.js';
import { digestOf } from '#kernel/ids.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import { NODE_SCRATCH } from './finish-content.js';
import { installedPackages } from './installed-packages.js';
import type { LockedRecipe } from './lock-recipe.js';
import type { Recipe } from './recipe.js';

/** The environment's document. `content` is null for the empty environment. */
export async function describeEnvironment(
  recipe: Recipe,
  content: { lock: LockedRecipe; digest: string; folder: string } | null,
): Promise<Environment> {
  const { kind, ownPackage, ownVersion, entryPoints } = recipe;
  const python = kind === 'python' ? { python: await versionOf(['python3', '--version']) } : {};
  return {
    digest: content?.digest ?? digestOf(''),
    recipe: {
      ...{ kind, ownPackage, ownVersion, entryPoints },
      toolchains: { node: process.version, ...python },
      install: content?.lock.commands ?? [],
      inputs: Object.entries(content?.lock.inputs ?? {}).map(([path, text]) => ({ path, digest: digestOf(text) })),
      packages: content === null ? {} : await installedPackages(recipe, content.folder),
    },
    prepare: [],
    ...joinsOf(kind),
  };
}

/** How the content meets a workspace. */
function joinsOf(kind: Recipe['kind']): Pick<Environment, 'mounts' | 'scratch' | 'owned' | 'env' | 'path'> {
  switch (kind) {
    case 'node':
      return {
        mounts: [{ from: 'node_modules', to: 'node_modules' }],
        scratch: NODE_SCRATCH,
        owned: [keyOfText('node_modules')],
        env: {},
        path: ['{workspace}/node_modules/.bin'],
      };
    case 'python':
      return {
        ...{ mounts: [], scratch: [], owned: [] },
        env: {
          PYTHONPATH: '{workspace}/src:{workspace}',
          PYTHONDONTWRITEBYTECODE: '1',
          VIRTUAL_ENV: '{environment}/venv',
        },
        path: ['{environment}/venv/bin'],
      };
    case 'empty':
      return { mounts: [], scratch: [], owned: [], env: {}, path: [] };
  }
}

async function versionOf(argv: string[]): Promise<string> {
  const result = await runProcess({ argv, env: plainEnvironment() });
  return Buffer.concat([result.stdout, result.stderr]).toString('utf8').trim();
}
