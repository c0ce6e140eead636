import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { delay } from '#kernel/async.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';
import { killProcess } from '../host/process-table.js';

/** Writes a control file; false where the kernel or the permissions refuse. */
export async function tryWrite(path: string, value: string): Promise<boolean> {
  try {
    await writeFile(path, value, { flag: 'r+' });
    return true;
  } catch (thrown) {
    if (errorCodeOf(thrown) === null) throw thrown;
    return false;
  }
}

/** A control file's text, or null where it does not exist (any more). */
export async function readControl(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'latin1');
  } catch (thrown) {
    if (errorCodeOf(thrown) === null) throw thrown;
    return null;
  }
}

/** A control file that holds one number. */
export async function readNumber(path: string): Promise<number | null> {
  const text = (await readControl(path))?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** The number after a name in a control file of `name number` lines. */
export async function readField(path: string, name: string): Promise<number | null> {
  const line = (await readControl(path))?.split('\n').find((text) => text.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
}

export async function readPids(folder: string): Promise<number[]> {
  const text = (await readControl(`${folder}/cgroup.procs`)) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '' && line !== '0')
    .map(Number);
}

/** Makes a group's folder; false where we may not or the hierarchy is read-only. */
export async function tryMakeGroup(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    return true;
  } catch (thrown) {
    if (errorCodeOf(thrown) === null) throw thrown;
    return false;
  }
}

const REMOVAL_ROUNDS = 200;
const REMOVAL_PAUSE_MS = 10;

/**
 * Kills what is inside and removes the group's folder; a group that is gone is fine. Returns how many it killed.
 * @throws Fault `sandbox-not-ended` (environment) where something cannot be killed
 */
export async function emptyAndRemove(folder: string): Promise<number> {
  const killed = new Set<number>();
  for (let round = 0; round < REMOVAL_ROUNDS; round += 1) {
    try {
      await rmdir(folder);
      return killed.size;
    } catch (thrown) {
      const code = errorCodeOf(thrown);
      if (code === 'ENOENT') return killed.size;
      if (code !== 'EBUSY') throw thrown;
    }
    for (const pid of await readPids(folder)) {
      killProcess(pid);
      killed.add(pid);
    }
    await delay(REMOVAL_PAUSE_MS);
  }
  throw new Fault({
    code: 'sandbox-not-ended',
    kind: 'environment',
    message: `the control group ${folder} cannot be emptied: ${(await readPids(folder)).slice(0, 10).join(', ')} cannot be killed`,
    hint: 'They hang in the kernel (state D in ps); the workspace cannot be trusted while they live.',
  });
}
