import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '#documents/environment.js';
import type { RunnerName } from '#documents/test-identity.js';
import { keyOfText, type Repository, type TreeFiles } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { digestOf, digestOfJson } from '#kernel/ids.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import type { SandboxKind } from '#sandbox/index.js';
import { environmentFolder, putEnvironment, withTemporaryFolder } from '#store/index.js';
import { findSolution } from './find-solution.js';
import { install } from './install.js';
import { installedPackages } from './installed-packages.js';
import { nodeRecipe } from './node-recipe.js';
import { linkOwnPackage } from './own-package.js';
import { pythonRecipe } from './python-recipe.js';
import type { Recipe } from './recipe.js';
import { type RecipeBuild, rememberBuild, rememberedBuild } from './remembered-builds.js';

export interface EnvironmentRequest {
  repository: Repository;
  /** Files of S_0. */
  initial: TreeFiles;
  runner: RunnerName;
  /** Root of the environment store. */
  storeRoot: string;
  sandbox: SandboxKind;
  label: string;
  /** Per stage, trimmed distinctive lines of the reference. */
  distinctive: readonly (readonly string[])[];
}

export interface PreparedEnvironment {
  environment: Environment;
  /** Content on the host; null for the empty environment. */
  folder: string | null;
  inputs: Map<string, Buffer>;
  /** What had to be replaced or is worth knowing. */
  notes: string[];
}

/**
 * Makes the environment of a task from S_0's manifests: one content-addressed tree, offline afterwards.
 * @throws Fault `solution-in-environment` (input) where the content holds distinctive lines of the reference
 */
export async function prepareEnvironment(request: EnvironmentRequest): Promise<PreparedEnvironment> {
  const read = async (path: string): Promise<Buffer | null> => {
    const file = request.initial.get(keyOfText(path));
    return file === undefined || file.mode === '120000' ? null : request.repository.readBlob(file.oid);
  };
  const recipe = request.runner === 'pytest' ? await pythonRecipe(read) : await nodeRecipe(read);
  if (recipe.kind === 'empty')
    return { environment: await describe(recipe, [], '', null), folder: null, inputs: new Map(), notes: [] };
  const digestOfRecipe = digestOfJson({
    attempts: recipe.attempts,
    inputs: inputRows(recipe),
    own: recipe.ownPackage,
    version: recipe.ownVersion,
    entry: recipe.entryPoints,
    node: process.version,
  });
  const remembered = await rememberedBuild(request.storeRoot, digestOfRecipe);
  const built = remembered ?? (await build(recipe, request));
  if (remembered === null) await rememberBuild(request.storeRoot, digestOfRecipe, built);
  const folder = await environmentFolder(request.storeRoot, built.digest);
  // The same content may be innocent for one chain and hold the solution of another.
  await refuseSolution(folder, request.distinctive);
  const notes = [
    built.transcript,
    ...built.replaced.map((path) => `${path} was the project itself: replaced by a link to the workspace`),
  ];
  return {
    environment: await describe(recipe, built.commands, built.digest, folder),
    folder,
    inputs: recipe.inputs,
    notes,
  };
}

function build(recipe: Recipe, request: EnvironmentRequest): Promise<RecipeBuild> {
  return withTemporaryFolder('environment', async (temporary) => {
    const folder = join(temporary, 'content');
    const { commands, transcript } = await install(recipe, folder, request.sandbox, request.label);
    const replaced = await linkOwnPackage(recipe, folder);
    await removeNoise(recipe, folder);
    return { digest: await putEnvironment(request.storeRoot, folder), commands, transcript, replaced };
  });
}

function inputRows(recipe: Recipe): { path: string; digest: string }[] {
  return [...recipe.inputs].map(([path, content]) => ({ path, digest: digestOf(content) }));
}

async function refuseSolution(folder: string, distinctive: readonly (readonly string[])[]): Promise<void> {
  const traces = await findSolution(folder, distinctive);
  const [first] = traces;
  if (first === undefined) return;
  throw new Fault({
    code: 'solution-in-environment',
    kind: 'input',
    message: `the environment holds ${traces.length} distinctive lines of the reference, e.g. of stage ${first.stage} in ${first.file}: ${JSON.stringify(first.line)}`,
    hint: 'A dependency ships the feature itself. Choose an earlier version of it, or another chain.',
  });
}

/** Caches, compiled files and manager leftovers: they differ from build to build and nothing needs them. */
async function removeNoise(recipe: Recipe, folder: string): Promise<void> {
  for (const path of recipe.inputs.keys()) await rm(join(folder, path), { force: true });
  await rm(join(folder, 'package-lock.json'), { force: true });
  if (recipe.kind === 'node') {
    await rm(join(folder, 'node_modules', '.package-lock.json'), { force: true });
    for (const scratch of NODE_SCRATCH) await mkdir(join(folder, scratch), { recursive: true });
  }
}

const NODE_SCRATCH = ['node_modules/.vite', 'node_modules/.vite-temp', 'node_modules/.cache', 'node_modules/.vitest'];

async function describe(
  recipe: Recipe,
  commands: string[][],
  digest: string,
  folder: string | null,
): Promise<Environment> {
  const node = { node: process.version };
  const python = recipe.kind === 'python' ? { python: await versionOf(['python3', '--version']) } : {};
  const base = {
    digest: digest === '' ? digestOf('') : digest,
    recipe: {
      kind: recipe.kind,
      toolchains: { ...node, ...python },
      install: commands,
      inputs: inputRows(recipe),
      packages: folder === null ? {} : await installedPackages(recipe, folder),
    },
    prepare: [],
  };
  if (recipe.kind === 'node') {
    return {
      ...base,
      mounts: [{ from: 'node_modules', to: 'node_modules' }],
      scratch: NODE_SCRATCH,
      owned: [keyOfText('node_modules')],
      env: {},
      path: ['{workspace}/node_modules/.bin'],
    };
  }
  if (recipe.kind === 'python') {
    const env = {
      PYTHONPATH: '{workspace}/src:{workspace}',
      PYTHONDONTWRITEBYTECODE: '1',
      VIRTUAL_ENV: '{environment}/venv',
    };
    return { ...base, mounts: [], scratch: [], owned: [], env, path: ['{environment}/venv/bin'] };
  }
  return { ...base, mounts: [], scratch: [], owned: [], env: {}, path: [] };
}

async function versionOf(argv: string[]): Promise<string> {
  const result = await runProcess({ argv, env: plainEnvironment() });
  return Buffer.concat([result.stdout, result.stderr]).toString('utf8').trim();
}
