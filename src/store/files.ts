import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCodeOf, Fault, messageOf } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';

/** A full disk is the operator's to mend and never a result of an experiment. */
export function diskFault(thrown: unknown, path: string): Fault | null {
  const code = errorCodeOf(thrown);
  if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EROFS') return null;
  return new Fault({
    code: 'disk-full',
    kind: 'environment',
    message: `${path}: cannot write: ${messageOf(thrown)}`,
    hint: 'Free space (or choose another folder) and run the same command again; nothing that was complete is lost.',
    cause: thrown,
  });
}

/**
 * Writes a file whole or not at all: temporary file beside it, fsync, rename. Makes missing parent folders.
 * @throws Fault `disk-full` (environment)
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${unguessableId(4)}.part`);
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw diskFault(thrown, path) ?? thrown;
  }
}

/** Reads a text file. @throws Fault `file-missing`, `file-unreadable` (input) with `hint` where there is none. */
export async function readText(path: string, hint: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = errorCodeOf(cause) ?? '';
    if (['EISDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(code)) {
      const why = code === 'EISDIR' ? 'is a folder, not a file' : `cannot be read: ${messageOf(cause)}`;
      throw new Fault({ code: 'file-unreadable', kind: 'input', message: `${path}: ${why}`, hint, cause });
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw cause;
    throw new Fault({ code: 'file-missing', kind: 'input', message: `${path}: no such file`, hint, cause });
  }
}

/** Reads a text file, or null where there is none. */
export async function readTextIfAny(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

/**
 * Reads a file that untrusted code may have made: a regular file, no link followed, at most `maxBytes`.
 * @returns the bytes, or why they cannot be trusted
 */
export async function readUntrusted(
  path: string,
  maxBytes: number,
): Promise<{ bytes: Buffer } | { refused: 'missing' | 'not-regular' | 'too-large' }> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    if (!(await lstat(path)).isFile()) return { refused: 'not-regular' };
    // O_NONBLOCK: a pipe put there between the two calls must not hang us.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    const code = errorCodeOf(thrown);
    if (code === 'ENOENT') return { refused: 'missing' };
    if (code === 'ELOOP' || code === 'ENXIO') return { refused: 'not-regular' };
    throw thrown;
  }
  try {
    const facts = await file.stat();
    if (!facts.isFile()) return { refused: 'not-regular' };
    if (facts.size > maxBytes) return { refused: 'too-large' };
    return { bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}
