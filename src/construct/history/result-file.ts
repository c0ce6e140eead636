import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { RepositoryFacts } from '#git/index.js';
import { errorCodeOf } from '#kernel/faults.js';
import { digestOfJson } from '#kernel/ids.js';
import { writeFileAtomic } from '#store/index.js';
import { FACTS_VERSION } from './facts/facts-cache.js';
import type { History, HistoryOptions } from './history.js';

/** Grows whenever the same repository comes out differently: rules of groups, intents, lineages, the graph. */
const RESULT_VERSION = 7;

/**
 * Where the finished history of a head is kept, or null where it is not: a head names its whole past, so only the
 * options that change the outcome enter the name, and roles of others' making are not repeatable.
 */
export function resultFileOf(head: string, facts: RepositoryFacts, options: HistoryOptions): string | null {
  const { cacheFolder, sinceMs, untilMs, maxCommits, paths, stars, semantic, topologist } = options;
  if (cacheFolder === null || facts.isShallow || semantic !== undefined || topologist !== undefined) return null;
  const key = digestOfJson([
    RESULT_VERSION,
    FACTS_VERSION,
    facts.gitVersion,
    process.versions.v8,
    sinceMs ?? null,
    untilMs ?? null,
    maxCommits ?? null,
    paths ?? null,
    stars ?? null,
  ]);
  return join(cacheFolder, 'results', `${head}-${key.slice('sha256:'.length, 'sha256:'.length + 16)}.history`);
}

/** Keeps a finished history. Only complete pasts are kept: what is missing today may be there tomorrow. */
export async function saveResult(file: string, history: History): Promise<void> {
  if (history.completeness !== 'complete') return;
  const body = serialize(history);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(crc32(body), 0);
  head.writeUInt32LE(body.length, 4);
  await writeFileAtomic(file, Buffer.concat([head, body]));
}

/** A kept history, or null where there is none that is whole. */
export async function loadResult(file: string): Promise<History | null> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
  if (bytes.length < 8 || bytes.readUInt32LE(4) !== bytes.length - 8) return null;
  const body = bytes.subarray(8);
  return crc32(body) === bytes.readUInt32LE(0) ? (deserialize(body) as History) : null;
}
