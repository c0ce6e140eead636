import { lstat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { errorCodeOf, Fault, messageOf } from '#kernel/faults.js';

const TAKEN = new Set(['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'EACCES', 'EPERM', 'ELOOP']);

function placeTaken(path: string, what: string, cause?: unknown): Fault {
  return new Fault({
    code: 'place-taken',
    kind: 'input',
    message: `${path}: ${what}`,
    hint: 'Move away what stands there, or choose another folder.',
    cause,
  });
}

/** @throws Fault `place-taken` (input) where a folder stands in the place of a file that is to be written */
export async function requireFilePlace(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => null);
  if (facts?.isDirectory()) throw placeTaken(path, 'a folder stands where a file is to be written');
}

/**
 * Does work that reads and writes files of ours below a folder.
 * @throws Fault `place-taken` (input) where something else stands in the place of one of them; what the work throws
 */
export async function inOwnFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const path = pathOf(thrown);
    if (!TAKEN.has(errorCodeOf(thrown) ?? '') || (path !== null && !isBelow(path, folder))) throw thrown;
    throw placeTaken(
      path ?? folder,
      `something else stands in the place of a file or folder (${messageOf(thrown)})`,
      thrown,
    );
  }
}

/** Reading a folder as if it were a file fails without a path. */
function pathOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  if ('dest' in thrown && typeof thrown.dest === 'string') return thrown.dest;
  return 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : null;
}

function isBelow(path: string, folder: string): boolean {
  return !/^\.\.(?:\/|$)/.test(relative(resolve(folder), resolve(path)));
}
