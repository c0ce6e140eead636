import { realpath } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { minedLayout } from '#documents/layout.js';
import { openRepository } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { requireFilePlace, requireWritable } from '#store/index.js';
import type { MineRequest } from './mine-request.js';

/**
 * Proves before long work that the documents and the caches can be written where they are to go.
 * @throws Fault `not-a-repository`, `out-inside-repository`, `folder-not-writable`, `place-taken` (input)
 */
export async function requirePlaces(request: MineRequest): Promise<void> {
  await requireOutside(request);
  await requireWritable(request.outFolder);
  const { chains, rejections, page, graph } = minedLayout(request.outFolder);
  for (const file of [chains, rejections, page, graph('graphml'), graph('json')]) await requireFilePlace(file);
  await requireWritable(request.cacheFolder);
}

/** The source repository is never written to, so its git folder is no place for documents. */
async function requireOutside({ repository: path, outFolder }: MineRequest): Promise<void> {
  const repository = await openRepository(path);
  await repository.close();
  const inside = (await standing(repository.place.gitDir)) + sep;
  if (!`${await standing(resolve(outFolder))}${sep}`.startsWith(inside)) return;
  throw new Fault({
    code: 'out-inside-repository',
    kind: 'input',
    message: `${outFolder}: lies inside the repository's git folder, which is never written to`,
    hint: 'Give an --out folder elsewhere.',
  });
}

/** The real path of the nearest place that can be told, with the rest as it is. */
async function standing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (path === dirname(path)) throw thrown;
    return `${await standing(dirname(path))}${path.slice(dirname(path).length)}`;
  }
}
