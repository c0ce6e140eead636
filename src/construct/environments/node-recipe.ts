import { z } from 'zod';
import { Fault, messageOf } from '#kernel/faults.js';
import type { ReadInitial, Recipe } from './recipe.js';

const manifestShape = z.looseObject({
  name: z.string().nullish(),
  version: z.string().nullish(),
  dependencies: z.record(z.string(), z.string()).nullish(),
  devDependencies: z.record(z.string(), z.string()).nullish(),
  peerDependencies: z.record(z.string(), z.string()).nullish(),
  optionalDependencies: z.record(z.string(), z.string()).nullish(),
  overrides: z.unknown().optional(),
  engines: z.unknown().optional(),
});

/** Scripts of packages are not run: they may do anything, and what tests need is in the packages. Locks name no host. */
export const NPM = [
  '--ignore-scripts',
  '--omit-lockfile-registry-resolved',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/**
 * Dependencies of a Node project from package.json, with package-lock.json where there is one. Other managers' lock files
 * are not read: the versions are then the newest that package.json allows, which the environment's record names.
 * @throws Fault `manifest-invalid` (input)
 */
export async function nodeRecipe(read: ReadInitial): Promise<Recipe> {
  const text = await read('package.json');
  if (text === null) return emptyRecipe(null, null);
  const manifest = parseManifest(text);
  const ownPackage = manifest.name ?? null;
  const wanted = installable(manifest, ownPackage);
  if (Object.keys(wanted).length === 0) return emptyRecipe(ownPackage, manifest.version ?? null);
  const inputs = new Map<string, Buffer>();
  const lock = (await read('package-lock.json')) ?? (await read('npm-shrinkwrap.json'));
  const attempts: Recipe['attempts'] = [];
  if (lock === null) {
    const slim = {
      name: 'environment',
      private: true,
      dependencies: wanted,
      ...(manifest.overrides === undefined ? {} : { overrides: manifest.overrides }),
    };
    inputs.set('package.json', Buffer.from(`${JSON.stringify(slim, null, 2)}\n`));
    attempts.push({ why: 'newest versions that package.json allows', commands: [['npm', 'install', ...NPM]] });
    attempts.push({
      why: 'the same without checking peers',
      commands: [['npm', 'install', '--legacy-peer-deps', ...NPM]],
    });
  } else {
    inputs.set('package.json', text);
    inputs.set('package-lock.json', lock);
    attempts.push({ why: 'versions of package-lock.json', commands: [['npm', 'ci', ...NPM]] });
    attempts.push({
      why: 'package.json, since the lock file does not fit',
      commands: [['npm', 'install', '--legacy-peer-deps', ...NPM]],
    });
  }
  return { kind: 'node', ownPackage, ownVersion: manifest.version ?? null, inputs, attempts, entryPoints: {} };
}

export function emptyRecipe(ownPackage: string | null, ownVersion: string | null): Recipe {
  return { kind: 'empty', ownPackage, ownVersion, inputs: new Map(), attempts: [], entryPoints: {} };
}

function parseManifest(text: Buffer): z.infer<typeof manifestShape> {
  try {
    return manifestShape.parse(JSON.parse(text.toString('utf8')));
  } catch (cause) {
    throw new Fault({
      code: 'manifest-invalid',
      kind: 'input',
      message: `package.json of the initial state: ${messageOf(cause)}`,
      hint: 'Choose another checkpoint, at which the manifest is valid.',
      cause,
    });
  }
}

/** Everything a test may import, but the project itself and what is not in a registry (links, files, git addresses). */
function installable(manifest: z.infer<typeof manifestShape>, ownPackage: string | null): Record<string, string> {
  const all = {
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
    ...manifest.dependencies,
  };
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name, range]) =>
        name !== ownPackage &&
        !/^(?:file|link|workspace|portal|git|github|https?|git\+[a-z]+):|^[\w-]+\/[\w.-]+(?:#|$)/.test(range),
    ),
  );
}
