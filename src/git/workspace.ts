import { constants, type Dirent, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { mapLimited } from '#kernel/async.js';
import { pathBytes, pathKey } from '#kernel/bytes.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { diskFault } from '#store/index.js';
import { objectId } from './object-writer.js';
import type { Repository } from './repository.js';
import type { FileMode, TreeFile, TreeFiles } from './tree-files.js';

/** Why a path of the workspace is not in its snapshot. */
export interface LostPath {
  path: string;
  why: 'socket' | 'fifo' | 'device' | 'too-large' | 'unreadable' | 'too-many';
}

export interface CaptureOptions {
  /** Path keys (files or folders) that belong to the environment and are left out, wherever a run may have put them. */
  owned: readonly string[];
  /** Bytes of one file beyond which it is lost rather than stored. */
  maxFileBytes: number;
  maxFiles: number;
}

/** What a previous capture knows: a file whose stat is unchanged keeps its object id without being read. */
export type CaptureMemory = Map<string, { stamp: string; file: TreeFile }>;

const IN_FLIGHT = 32;
/** Files beyond this are read one at a time, so that a workspace of large ones does not fill the memory. */
const LARGE_BYTES = 4 * 2 ** 20;

/**
 * Captures a folder byte for byte as git objects: every regular file and link but `.git` folders and owned paths.
 * The folder belongs to an agent, so git never runs in it, nothing is written into it and no link is followed.
 * The caller makes sure that nobody writes meanwhile.
 */
export async function captureFolder(
  repository: Repository,
  folder: string,
  options: CaptureOptions,
  memory: CaptureMemory = new Map(),
): Promise<{ files: TreeFiles; tree: string; lost: LostPath[] }> {
  const lost: LostPath[] = [];
  const owned = new Set(options.owned);
  const found: { path: string; stats: Stats }[] = [];
  await walk(pathKey(Buffer.from(folder)), '', owned, found, lost, options.maxFiles);
  const files: TreeFiles = new Map();
  const capture = async ({ path, stats }: { path: string; stats: Stats }): Promise<void> => {
    const stamp = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.mode}`;
    const known = memory.get(path);
    if (known?.stamp === stamp) {
      files.set(path, known.file);
      return;
    }
    const file = await captureFile(repository, folder, path, stats, options.maxFileBytes, lost);
    if (file === null) return;
    files.set(path, file);
    memory.set(path, { stamp, file });
  };
  await mapLimited(
    found.filter(({ stats }) => stats.size <= LARGE_BYTES),
    IN_FLIGHT,
    capture,
  );
  for (const large of found.filter(({ stats }) => stats.size > LARGE_BYTES)) await capture(large);
  return { files, tree: await repository.writeTree(files), lost: lost.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

async function walk(
  root: string,
  prefix: string,
  owned: ReadonlySet<string>,
  found: { path: string; stats: Stats }[],
  lost: LostPath[],
  maxFiles: number,
): Promise<void> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(pathBytes(prefix === '' ? root : `${root}/${prefix.slice(0, -1)}`), {
      withFileTypes: true,
      encoding: 'buffer',
    });
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return;
    if (errorCodeOf(thrown) !== 'EACCES') throw thrown;
    lost.push({ path: prefix, why: 'unreadable' });
    return;
  }
  for (const entry of entries) {
    const name = pathKey(entry.name);
    const path = prefix + name;
    if (name === '.git' || owned.has(path)) continue;
    if (entry.isDirectory()) {
      await walk(root, `${path}/`, owned, found, lost, maxFiles);
      continue;
    }
    if (!entry.isFile() && !entry.isSymbolicLink()) {
      lost.push({ path, why: entry.isSocket() ? 'socket' : entry.isFIFO() ? 'fifo' : 'device' });
      continue;
    }
    if (found.length >= maxFiles) {
      lost.push({ path, why: 'too-many' });
      continue;
    }
    found.push({ path, stats: await lstat(pathBytes(`${root}/${path}`)) });
  }
}

async function captureFile(
  repository: Repository,
  folder: string,
  path: string,
  stats: Stats,
  maxBytes: number,
  lost: LostPath[],
): Promise<TreeFile | null> {
  const at = Buffer.concat([Buffer.from(folder), Buffer.from('/'), pathBytes(path)]);
  if (stats.isSymbolicLink()) {
    const target = await readlink(at, { encoding: 'buffer' });
    return { mode: '120000', oid: await repository.writeBlob(target) };
  }
  if (stats.size > maxBytes) {
    lost.push({ path, why: 'too-large' });
    return null;
  }
  try {
    const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const content = await file.readFile();
      const mode: FileMode = (stats.mode & 0o100) === 0 ? '100644' : '100755';
      return { mode, oid: await repository.writeBlob(content) };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'EACCES' && errorCodeOf(thrown) !== 'ELOOP') throw thrown;
    lost.push({ path, why: 'unreadable' });
    return null;
  }
}

/**
 * Writes a tree's files into an empty folder: bytes, executable bit and links as stored. Submodules become empty folders.
 * @throws Fault `tree-escapes` (input) where a path would leave the folder or go through a link
 */
export async function materialise(repository: Repository, files: TreeFiles, folder: string): Promise<void> {
  const links = new Set<string>();
  for (const [path, file] of files) {
    assertInside(path);
    if (file.mode === '120000') links.add(path);
  }
  const folders = new Set<string>();
  for (const path of files.keys()) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash);
      if (links.has(parent)) throw escapes(path, 'lies below a link');
      folders.add(parent);
    }
  }
  const at = (path: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), pathBytes(path)]);
  await mkdir(folder, { recursive: true });
  for (const parent of [...folders].sort()) await mkdir(at(parent), { recursive: true });
  await mapLimited([...files], IN_FLIGHT, async ([path, file]) => {
    try {
      if (file.mode === '160000') await mkdir(at(path), { recursive: true });
      else if (file.mode === '120000') await symlink(await repository.readBlob(file.oid), at(path));
      else {
        await writeFile(at(path), await repository.readBlob(file.oid), { flag: 'wx' });
        await chmod(at(path), file.mode === '100755' ? 0o755 : 0o644);
      }
    } catch (thrown) {
      throw diskFault(thrown, `${folder}/${path}`) ?? thrown;
    }
  });
}

function assertInside(path: string): void {
  const parts = path.split('/');
  if (
    path === '' ||
    path.startsWith('/') ||
    parts.includes('..') ||
    parts.includes('.') ||
    parts.includes('') ||
    parts.some((part) => part.toLowerCase() === '.git')
  ) {
    throw escapes(path, 'is not a plain path inside the tree');
  }
}

function escapes(path: string, why: string): Fault {
  return new Fault({
    code: 'tree-escapes',
    kind: 'input',
    message: `path ${JSON.stringify(path)} ${why}`,
    hint: 'The tree or task folder is damaged or hostile; it is not used.',
  });
}

/** The id that a file's content has as a blob, for comparing without storing. */
export function blobId(content: Uint8Array): string {
  return objectId('blob', content);
}

/** The folder part of a path key, '' at the top. */
export function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}
