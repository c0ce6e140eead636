import { join } from 'node:path';
import { z } from 'zod';
import { defineDocument } from '#documents/define-document.js';
import { Fault } from '#kernel/faults.js';
import { environmentFolder, readTextIfAny, writeFileAtomic } from '#store/index.js';

const buildShape = z.looseObject({
  /** Digest of the content. */
  digest: z.string(),
  /** How to make the same content again: exact commands over exact inputs. */
  lock: z.looseObject({ commands: z.array(z.array(z.string())), inputs: z.record(z.string(), z.string()) }),
  transcript: z.string(),
  /** Paths of installed copies of the project that became links. */
  replaced: z.array(z.string()),
});
export type RecipeBuild = z.infer<typeof buildShape>;

const buildDocument = defineDocument({ name: 'recipe-build', version: 1, shape: buildShape });

/** What this recipe gave before on this machine, where the content is still there; else null. */
export async function rememberedBuild(storeRoot: string, recipeDigest: string): Promise<RecipeBuild | null> {
  const path = placeOf(storeRoot, recipeDigest);
  const text = await readTextIfAny(path);
  if (text === null) return null;
  const held = readBuild(text, path);
  if (held === null) return null;
  return (await storedContent(storeRoot, held.digest)) === null ? null : held;
}

/** What is only remembered can be made again: a record that cannot be read is as good as none. */
function readBuild(text: string, path: string): RecipeBuild | null {
  try {
    return buildDocument.parse(text, path);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.kind === 'input') return null;
    throw thrown;
  }
}

/** Keeps what a recipe gave, so that building another chain of the same manifests installs nothing. */
export function rememberBuild(storeRoot: string, recipeDigest: string, held: RecipeBuild): Promise<void> {
  return writeFileAtomic(placeOf(storeRoot, recipeDigest), buildDocument.print(held));
}

function placeOf(storeRoot: string, recipeDigest: string): string {
  return join(storeRoot, 'recipes', `${recipeDigest.replace(/^sha256:/, '')}.json`);
}

/** The folder of an environment's content; null where this machine does not have it. */
export async function storedContent(storeRoot: string, digest: string): Promise<string | null> {
  try {
    return await environmentFolder(storeRoot, digest);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'environment-missing') return null;
    throw thrown;
  }
}
