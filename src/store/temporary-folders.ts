import { lstat, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCodeOf } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { diskFault } from './files.js';
import { isStampDead, ownStamp } from './process-identity.js';
import { removeTree } from './remove-tree.js';

/** Names say whose the folder is (`ownStamp`), so that what a killed process left can be told from what is in use. */
const NAME = /^featurearc-.+-([0-9]+\.[0-9]+\.[0-9]+)-[A-Za-z0-9]{6}$/;

/** A fresh name for a temporary folder that a sweep will know as this process's. */
export async function temporaryName(purpose: string): Promise<string> {
  return `featurearc-${purpose}-${await ownStamp()}-${unguessableId(3)}`;
}

/** Makes a fresh private folder below the system's temporary folder (or `parent`). The caller removes it. */
export async function makeTemporaryFolder(purpose: string, parent = tmpdir()): Promise<string> {
  const owner = await ownStamp();
  try {
    await mkdir(parent, { recursive: true });
    return await mkdtemp(join(resolve(parent), `featurearc-${purpose}-${owner}-`));
  } catch (thrown) {
    throw diskFault(thrown, parent) ?? thrown;
  }
}

/** Runs `work` with a fresh temporary folder that is removed whatever happens. */
export async function withTemporaryFolder<T>(purpose: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(purpose);
  try {
    return await work(folder);
  } finally {
    await removeTree(folder);
  }
}

/**
 * Removes temporary folders of this user whose process has died without removing them.
 * @returns how many there were
 */
export async function sweepTemporaryFolders(parent = tmpdir()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(parent)) {
    const [, stamp] = NAME.exec(name) ?? [];
    if (stamp === undefined || !(await isStampDead(stamp))) continue;
    const path = join(parent, name);
    if (!(await isOurs(path))) continue;
    await removeTree(path);
    removed += 1;
  }
  return removed;
}

async function isOurs(path: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isDirectory() && found.uid === process.getuid?.();
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}
