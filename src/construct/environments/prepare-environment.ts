import { join } from 'node:path';
import type { Environment } from '#documents/environment.js';
import type { RunnerName } from '#documents/test-identity.js';
import { keyOfText, type Repository, type TreeFiles } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { digestOf, digestOfJson } from '#kernel/ids.js';
import type { SandboxKind } from '#sandbox/index.js';
import { environmentFolder, putEnvironment, withTemporaryFolder } from '#store/index.js';
import { describeEnvironment } from './describe-environment.js';
import { findSolution } from './find-solution.js';
import { finishContent } from './finish-content.js';
import { install } from './install.js';
import { lockRecipe } from './lock-recipe.js';
import { nodeRecipe } from './node-recipe.js';
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
  /** Ends what runs and throws. */
  signal?: AbortSignal | undefined;
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
  if (recipe.kind === 'empty') {
    return { environment: await describeEnvironment(recipe, null), folder: null, inputs: new Map(), notes: [] };
  }
  const digestOfRecipe = digestOfJson({
    attempts: recipe.attempts,
    inputs: [...recipe.inputs].map(([path, content]) => ({ path, digest: digestOf(content) })),
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
    environment: await describeEnvironment(recipe, { lock: built.lock, digest: built.digest, folder }),
    folder,
    inputs: new Map(Object.entries(built.lock.inputs).map(([path, text]) => [path, Buffer.from(text)])),
    notes,
  };
}

function build(recipe: Recipe, request: EnvironmentRequest): Promise<RecipeBuild> {
  return withTemporaryFolder('environment', async (temporary) => {
    const folder = join(temporary, 'content');
    const { commands, transcript } = await install(recipe, folder, request);
    const lock = await lockRecipe(recipe, folder, commands);
    const replaced = await finishContent(recipe, folder);
    return { digest: await putEnvironment(request.storeRoot, folder), lock, transcript, replaced };
  });
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
