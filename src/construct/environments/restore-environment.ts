import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '#documents/environment.js';
import { pathBytes } from '#kernel/bytes.js';
import { Fault } from '#kernel/faults.js';
import { digestOf } from '#kernel/ids.js';
import type { SandboxKind } from '#sandbox/index.js';
import { environmentFolder, putEnvironment, withTemporaryFolder } from '#store/index.js';
import { finishContent } from './finish-content.js';
import { install } from './install.js';
import type { Recipe } from './recipe.js';
import { storedContent } from './remembered-builds.js';

export interface RestoreRequest {
  environment: Environment;
  /** The task's environment/inputs/. */
  inputsFolder: string;
  storeRoot: string;
  sandbox: SandboxKind;
  label: string;
  /** Ends what runs and throws. */
  signal?: AbortSignal | undefined;
}

const ownShape = z.object({
  ownPackage: z.string().nullable().default(null),
  ownVersion: z.string().nullable().default(null),
  entryPoints: z.record(z.string(), z.string()).default({}),
});

/**
 * Makes a task's environment on this machine from its exact inputs, unless it is there.
 * @returns the content's folder; null for the empty environment
 * @throws Fault `environment-differs` (environment) where other content came out, `environment-input-changed` (input)
 */
export async function restoreEnvironment(request: RestoreRequest): Promise<string | null> {
  const { environment, storeRoot } = request;
  if (environment.recipe.kind === 'empty') return null;
  const there = await storedContent(storeRoot, environment.digest);
  if (there !== null) return there;
  const recipe: Recipe = {
    kind: environment.recipe.kind,
    ...ownShape.parse(environment.recipe),
    inputs: await readInputs(request),
    attempts: [{ why: 'the exact inputs of the task', commands: environment.recipe.install }],
  };
  const digest = await withTemporaryFolder('environment', async (temporary) => {
    const folder = join(temporary, 'content');
    await install(recipe, folder, request);
    await finishContent(recipe, folder);
    return putEnvironment(storeRoot, folder);
  });
  if (digest === environment.digest) return environmentFolder(storeRoot, digest);
  throw new Fault({
    code: 'environment-differs',
    kind: 'environment',
    message: `the environment made here is ${digest}, the task was built with ${environment.digest} (${toolsOf(environment)})`,
    hint: 'Use the same versions of the tools, or copy the content from the machine that built the task.',
  });
}

async function readInputs({ environment, inputsFolder }: RestoreRequest): Promise<Map<string, Buffer>> {
  const inputs = new Map<string, Buffer>();
  for (const { path, digest } of environment.recipe.inputs) {
    const file = join(inputsFolder, pathBytes(path).toString('utf8'));
    const content = await readFile(file);
    if (digestOf(content) !== digest) {
      throw new Fault({
        code: 'environment-input-changed',
        kind: 'input',
        message: `${file}: not the file that the environment was made from`,
        hint: 'Restore the task package.',
      });
    }
    inputs.set(path, content);
  }
  return inputs;
}

function toolsOf(environment: Environment): string {
  return Object.entries(environment.recipe.toolchains)
    .map(([tool, version]) => `${tool} ${version}`)
    .join(', ');
}
