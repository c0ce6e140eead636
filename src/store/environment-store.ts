import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { mapLimited } from '#kernel/async.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { hostVariable, plainEnvironment, runProcess } from '#process/index.js';
import { diskFault } from './files.js';

const READ_BYTES = 1024 * 1024;
const FILES_AT_ONCE = 8;
const SLASH = Buffer.from('/');

/** Where this machine keeps what can be made again: $FEATUREARC_HOME, else ~/.cache/featurearc. */
export function cacheRoot(): string {
  return resolve(hostVariable('FEATUREARC_HOME') ?? join(homedir(), '.cache', 'featurearc'));
}

/**
 * The folder with an environment's content.
 * @throws Fault `environment-missing` (environment) where this machine does not have it
 */
export async function environmentFolder(root: string, digest: string): Promise<string> {
  const folder = placeOf(root, digest);
  try {
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'ENOENT') throw thrown;
  }
  throw new Fault({
    code: 'environment-missing',
    kind: 'environment',
    message: `${folder}: the environment ${digest} is not on this machine`,
    hint: 'Make it from the task with `featurearc env`, or copy the folder from a machine that has it.',
  });
}

/**
 * Puts a copy of a folder into the store, unless it is there, and returns its digest. What is stored is never changed.
 * @throws Fault `disk-full` (environment), `environment-not-stored` (environment) with the copier's words
 */
export async function putEnvironment(root: string, folder: string): Promise<string> {
  const store = join(root, 'environments');
  const part = join(store, `.${unguessableId()}.part`);
  try {
    await mkdir(store, { recursive: true });
    await copyTree(folder, part);
    // The copy is what is digested: the original may still be moving.
    const digest = await digestOfFolder(part);
    const place = placeOf(root, digest);
    await settle(part, place);
    return digest;
  } catch (thrown) {
    throw diskFault(thrown, store) ?? thrown;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/**
 * Digest of a folder's content: every path below it in byte order with its kind, whether it is executable, and the
 * content or the link's target. Owners, times and further permissions do not count.
 */
export async function digestOfFolder(folder: string): Promise<string> {
  const lines: { path: Buffer; line: () => Promise<string> }[] = [];
  await walk(Buffer.from(folder), Buffer.alloc(0), lines);
  lines.sort((a, b) => a.path.compare(b.path));
  const texts = await mapLimited(lines, FILES_AT_ONCE, ({ line }) => line());
  const hash = createHash('sha256');
  lines.forEach(({ path }, index) => {
    hash.update(`${texts[index]} ${path.length}:`).update(path).update('\n');
  });
  return `sha256:${hash.digest('hex')}`;
}

async function walk(
  folder: Buffer,
  prefix: Buffer,
  lines: { path: Buffer; line: () => Promise<string> }[],
): Promise<void> {
  for (const name of await readdir(folder, { encoding: 'buffer' })) {
    const place = Buffer.concat([folder, SLASH, name]);
    const path = prefix.length === 0 ? name : Buffer.concat([prefix, SLASH, name]);
    const found = await lstat(place);
    if (found.isDirectory()) {
      lines.push({ path, line: async () => 'folder' });
      await walk(place, path, lines);
    } else if (found.isSymbolicLink()) {
      lines.push({ path, line: async () => `link ${sha256(await readlink(place, { encoding: 'buffer' }))}` });
    } else if (found.isFile()) {
      const kind = (found.mode & 0o111) === 0 ? 'file' : 'program';
      lines.push({ path, line: async () => `${kind} ${await digestOfFile(place)}` });
    }
    // Sockets, pipes and devices are no content.
  }
}

async function digestOfFile(path: Buffer): Promise<string> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function placeOf(root: string, digest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (hex !== undefined) return join(root, 'environments', hex);
  throw new Fault({
    code: 'digest-malformed',
    kind: 'input',
    message: `${JSON.stringify(digest)} is no digest of an environment`,
    hint: 'It has the form sha256: and 64 hexadecimal digits.',
  });
}

async function copyTree(from: string, to: string): Promise<void> {
  const { exitCode, stderr } = await runProcess({
    argv: ['cp', '-a', '--reflink=auto', '--', from, to],
    env: plainEnvironment(),
    cwd: '/',
  });
  if (exitCode === 0) return;
  const words = stderr.toString('utf8').trim().slice(0, 500);
  throw new Fault({
    code: 'environment-not-stored',
    kind: 'environment',
    message: `cannot copy ${from} into the environment store: ${words}`,
    hint: 'Free space below $FEATUREARC_HOME (or ~/.cache/featurearc), or point it elsewhere, and run the command again.',
  });
}

/** Two processes may store the same content at once: the first one's copy stays. */
async function settle(part: string, place: string): Promise<void> {
  try {
    await rename(part, place);
  } catch (thrown) {
    const code = errorCodeOf(thrown);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw thrown;
  }
}
