import { constants, type Stats } from 'node:fs';
import { chmod, lchown, lstat, mkdir, open, readlink, rename, rm, symlink } from 'node:fs/promises';
import { pathBytes } from '#kernel/bytes.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { diskFault } from './files.js';

/**
 * Acts from the host inside a folder that untrusted code owns. Paths are path keys; no link is followed on the way or
 * at the end, nothing outside the folder is touched, and what is made belongs to the folder's owner.
 * The caller makes sure that nobody moves things meanwhile.
 */
export interface UntrustedFolder {
  /** What stands at a path, with its bytes where it is a file or a link; null where nothing does. */
  look(path: string): Promise<StandingPath | null>;
  /** Bytes of a regular file; null where there is none (or something else stands there). */
  read(path: string): Promise<Buffer | null>;
  /** Replaces whatever file or link stands there. Without `executable` an old file's bit is kept. */
  write(path: string, content: Uint8Array, executable?: boolean): Promise<void>;
  link(path: string, target: Uint8Array): Promise<void>;
  /** Removes a file, a link or a whole folder; missing is fine. */
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** Permission bits of a file or folder. */
  setMode(path: string, mode: number): Promise<void>;
}

export type StandingPath =
  | { kind: 'file'; executable: boolean; content: Buffer }
  | { kind: 'link'; target: Buffer }
  | { kind: 'folder' | 'other' };

/** @throws Fault `path-outside` (input) from every method for a path that leaves the folder or leads through a link */
export function openUntrustedFolder(root: string): UntrustedFolder {
  const at = (path: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]);

  const own = async (path: string): Promise<void> => {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = await lstat(root);
    await lchown(at(path), uid, gid);
  };

  /** Walks to the parent of `path`, making folders where asked to. @returns false where a folder on the way is missing */
  const enterParent = async (path: string, make: boolean): Promise<boolean> => {
    assertPlain(path);
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash);
      const found = await statIfAny(at(parent));
      if (found === null) {
        if (!make) return false;
        await mkdir(at(parent));
        await own(parent);
      } else if (!found.isDirectory()) {
        throw outside(path, `${JSON.stringify(parent)} is not a folder`);
      }
    }
    return true;
  };

  const put = async (path: string, make: () => Promise<void>): Promise<void> => {
    try {
      await enterParent(path, true);
      await rm(at(path), { force: true });
      await make();
      await own(path);
    } catch (thrown) {
      throw diskFault(thrown, `${root}/${path}`) ?? thrown;
    }
  };

  const look = async (path: string): Promise<StandingPath | null> => {
    const found = (await enterParent(path, false)) ? await statIfAny(at(path)) : null;
    if (found === null) return null;
    if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(at(path), { encoding: 'buffer' }) };
    if (!found.isFile()) return { kind: found.isDirectory() ? 'folder' : 'other' };
    return { kind: 'file', executable: (found.mode & 0o100) !== 0, content: await readRegular(at(path)) };
  };

  return {
    look,
    read: async (path) => {
      const found = await look(path);
      return found?.kind === 'file' ? found.content : null;
    },
    write: async (path, content, executable) => {
      const before = (await enterParent(path, false)) ? await statIfAny(at(path)) : null;
      if (before?.isDirectory() === true) throw outside(path, 'a folder stands there');
      const mode = (executable ?? (before?.isFile() === true && (before.mode & 0o100) !== 0)) ? 0o755 : 0o644;
      await put(path, async () => {
        const file = await open(at(path), 'wx', mode);
        try {
          await file.writeFile(content);
          await file.chmod(mode);
        } finally {
          await file.close();
        }
      });
    },
    link: (path, target) => put(path, () => symlink(Buffer.from(target), at(path))),
    remove: async (path) => {
      if (await enterParent(path, false)) await rm(at(path), { recursive: true, force: true });
    },
    move: async (from, to) => {
      await enterParent(from, false);
      await enterParent(to, true);
      await rename(at(from), at(to));
    },
    setMode: async (path, mode) => {
      await enterParent(path, false);
      const found = await statIfAny(at(path));
      if (found === null || found.isSymbolicLink()) throw outside(path, 'is no file or folder of its own');
      await chmod(at(path), mode);
    },
  };
}

async function readRegular(path: Buffer): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function statIfAny(path: Buffer): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT' || errorCodeOf(thrown) === 'ENOTDIR') return null;
    throw thrown;
  }
}

function assertPlain(path: string): void {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0')))
    throw outside(path, 'is not a plain path inside the folder');
}

function outside(path: string, why: string): Fault {
  return new Fault({
    code: 'path-outside',
    kind: 'input',
    message: `path ${JSON.stringify(path)}: ${why}`,
    hint: 'Only files inside the workspace can be changed, and not through links.',
  });
}
