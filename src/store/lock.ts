import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { startTicks } from './process-identity.js';

export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes a lock file for this process. A lock whose owner is dead is taken over.
 * @throws Fault `locked` (input) naming the live owner
 */
export async function acquireLock(path: string, what: string): Promise<Lock> {
  await mkdir(dirname(path), { recursive: true });
  const own = `${process.pid} ${(await startTicks(process.pid)) ?? '-'}\n`;
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      await placeWhole(path, own);
      return {
        release: async () => {
          if ((await readIfAny(path)) === own) await rm(path, { force: true });
        },
      };
    } catch (thrown) {
      if (errorCodeOf(thrown) !== 'EEXIST') throw thrown;
    }
    const held = await readIfAny(path);
    if (held === null) continue;
    const [pid = '', ticks = ''] = held.trim().split(' ');
    const alive = pid !== '' && (await startTicks(Number(pid))) === ticks;
    if (alive) {
      throw new Fault({
        code: 'locked',
        kind: 'input',
        message: `${what} is in use by process ${pid} (lock ${path})`,
        hint: 'Wait for it to end, or end it, then run the same command again.',
      });
    }
    await removeStale(path, held);
  }
  throw new Fault({
    code: 'locked',
    kind: 'input',
    message: `${what} is being taken by several processes at once (lock ${path})`,
    hint: 'Run the command again.',
  });
}

/** Makes the file with its content in one step, so that nobody ever reads an empty lock. */
async function placeWhole(path: string, content: string): Promise<void> {
  const own = `${path}.${unguessableId(4)}`;
  await writeFile(own, content, { flag: 'wx' });
  try {
    await link(own, path);
  } finally {
    await rm(own, { force: true });
  }
}

/** Removes a dead owner's lock, unless another process has taken it over in the meantime. */
async function removeStale(path: string, held: string): Promise<void> {
  const aside = `${path}.${unguessableId(4)}.stale`;
  try {
    await rename(path, aside);
    if ((await readIfAny(aside)) !== held) await link(aside, path);
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'ENOENT' && errorCodeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    await rm(aside, { force: true });
  }
}

async function readIfAny(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}
