import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { pathBytes, pathKey, showPath } from '#kernel/bytes.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';

export interface PlainFile {
  executable: boolean;
  content: Buffer;
}

/** Whether a path key is a plain path inside a tree: relative, no `.`, `..` or empty part, nothing named `.git`. */
export function isPlainPath(path: string): boolean {
  return (
    path !== '' &&
    !path.includes('\0') &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
  );
}

/**
 * Path keys of all files below a folder that somebody else made, sorted; a missing folder has none.
 * @throws Fault `tree-unsafe` (input) naming the first link, special file or `.git` found
 */
export async function listPlainFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  await walk(pathKey(Buffer.from(folder)), '', found);
  return found.sort();
}

/** Reads all files below such a folder. @throws as `listPlainFiles` */
export async function readPlainFiles(folder: string): Promise<Map<string, PlainFile>> {
  const files = new Map<string, PlainFile>();
  for (const path of await listPlainFiles(folder)) {
    const at = Buffer.concat([Buffer.from(`${folder}/`), pathBytes(path)]);
    files.set(path, { executable: ((await stat(at)).mode & 0o100) !== 0, content: await readFile(at) });
  }
  return files;
}

async function walk(root: string, prefix: string, found: string[]): Promise<void> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(pathBytes(prefix === '' ? root : `${root}/${prefix.slice(0, -1)}`), {
      withFileTypes: true,
      encoding: 'buffer',
    });
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT' && prefix === '') return;
    throw thrown;
  }
  for (const entry of entries) {
    const path = prefix + pathKey(entry.name);
    const refuse = (what: string): Fault =>
      new Fault({
        code: 'tree-unsafe',
        kind: 'input',
        message: `${showPath(pathBytes(`${root}/${path}`))}: ${what}`,
        hint: 'A task package holds plain files only. Remove it, or do not use this package.',
      });
    if (entry.isSymbolicLink()) throw refuse('a link inside a task package');
    if (path.split('/').at(-1)?.toLowerCase() === '.git') throw refuse('something named .git inside a task package');
    if (entry.isDirectory()) await walk(root, `${path}/`, found);
    else if (entry.isFile()) found.push(path);
    else throw refuse('neither a file nor a folder');
  }
}
