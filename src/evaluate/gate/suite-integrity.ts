import { join } from 'node:path';
import { blobId, type TreeFiles } from '#git/index.js';
import { pathBytes, showPath } from '#kernel/bytes.js';
import { errorCodeOf } from '#kernel/faults.js';
import { readUntrusted } from '#store/index.js';

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Which of these files no longer are what was laid over: code under test can rewrite a test file before the runner
 * comes to it, or have a build step do so. Called when nothing runs in the workspace any more.
 * @returns path keys with what was found, in words
 */
export async function alteredFiles(
  hostWorkspace: string,
  laid: TreeFiles,
  paths: Iterable<string>,
): Promise<{ path: string; what: string }[]> {
  const altered: { path: string; what: string }[] = [];
  for (const path of paths) {
    const file = laid.get(path);
    if (file === undefined) continue;
    const what = await alteration(hostWorkspace, path, file.oid);
    if (what !== null) altered.push({ path, what: `${showPath(pathBytes(path))} ${what}` });
  }
  return altered;
}

async function alteration(hostWorkspace: string, path: string, oid: string): Promise<string | null> {
  try {
    const name = pathBytes(path).toString('utf8');
    // A path that is no UTF-8 cannot be opened by name; runners do not take it either.
    if (!Buffer.from(name, 'utf8').equals(pathBytes(path))) return null;
    const read = await readUntrusted(join(hostWorkspace, name), MAX_BYTES);
    if ('refused' in read) return read.refused === 'missing' ? 'is gone' : 'is no longer a plain file';
    return blobId(read.bytes) === oid ? null : 'was rewritten';
  } catch (thrown) {
    const code = errorCodeOf(thrown);
    if (code === 'ENOTDIR' || code === 'ELOOP') return 'is gone';
    if (code === 'EACCES') return 'can no longer be read';
    throw thrown;
  }
}
