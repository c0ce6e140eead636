import type { Repository } from '#git/index.js';
import { isConfigPath, readConfig } from '../graph/config-facts.js';
import type { HistoryCommit } from '../history.js';
import type { FactsCache } from './facts-cache.js';

/** Larger files are data under a manifest's name. */
const MAX_CONFIG_BYTES = 200_000;

export function configKey(path: string, blob: string): string {
  return `${blob}:${path.slice(path.lastIndexOf('/') + 1)}`;
}

/** Reads every version of the files that configure imports, as far as the cache lacks them. */
export async function gatherConfigs(
  repository: Repository,
  commits: readonly HistoryCommit[],
  cache: FactsCache,
): Promise<void> {
  const wanted = new Map<string, { path: string; blob: string }>();
  for (const commit of commits)
    for (const { path, newBlob, after } of commit.changes) {
      if (newBlob === null || after !== 'file' || !isConfigPath(path)) continue;
      const key = configKey(path, newBlob);
      if (!cache.configs.has(key)) wanted.set(key, { path, blob: newBlob });
    }
  await Promise.all(
    [...wanted].map(async ([key, { path, blob }]) => {
      const object = await repository.read(blob);
      if (object === null) {
        // Not kept: what is missing may be found later.
        cache.configs.set(key, null);
        return;
      }
      const isUsable = object.type === 'blob' && object.content.length <= MAX_CONFIG_BYTES;
      cache.addConfig(key, isUsable ? readConfig(path, object.content) : null);
    }),
  );
}
