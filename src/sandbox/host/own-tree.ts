import { realpath } from 'node:fs/promises';
import { Fault, messageOf } from '#kernel/faults.js';
import { hostVariable, plainEnvironment, runProcess } from '#process/index.js';
import type { Mount } from '../contract.js';

/** Folders that can never be given to a sandbox to write in: too much else lives there. */
const TOO_WIDE = [
  '/usr',
  '/etc',
  '/var',
  '/home',
  '/root',
  '/tmp',
  '/run',
  '/dev',
  '/proc',
  '/sys',
  '/boot',
  '/lib',
  '/bin',
];

/**
 * The real path of a mount's host side.
 * @throws Fault `mount-missing` (input) where it does not exist, `mount-too-wide` (input) for a writable system folder
 */
export async function mountSource(from: string, writable: boolean): Promise<string> {
  let real: string;
  try {
    real = await realpath(from);
  } catch (cause) {
    throw new Fault({
      code: 'mount-missing',
      kind: 'input',
      message: `cannot mount ${from} into a sandbox: ${messageOf(cause)}`,
      hint: 'The folder must exist before the sandbox is opened.',
      cause,
    });
  }
  if (writable && (real === '/' || real === hostVariable('HOME') || TOO_WIDE.includes(real))) {
    throw new Fault({
      code: 'mount-too-wide',
      kind: 'input',
      message: `${real} cannot be mounted writable into a sandbox`,
      hint: 'Give a folder of its own, made for the run.',
    });
  }
  return real;
}

/** The host paths of the mounts that are written through. */
export function writablePaths(mounts: readonly Mount[]): string[] {
  return mounts.flatMap(({ from, mode }) => (mode === 'rw' ? [from] : []));
}

/**
 * Gives trees to a user without ever following a link (a link itself changes hands, what it leads to does not).
 * Needs root. Nothing inside may be running that could swap what is being walked for something hard-linked from outside.
 */
export async function ownTrees(paths: readonly string[], uid: number): Promise<void> {
  if (paths.length === 0) return;
  const result = await runProcess({
    argv: ['chown', '-R', '-P', '-h', `${uid}:${uid}`, '--', ...paths],
    env: plainEnvironment(),
    cwd: '/',
  });
  if (result.exitCode === 0) return;
  throw new Fault({
    code: 'mount-not-owned',
    kind: 'environment',
    message: `cannot give ${paths.join(', ')} to the sandbox's user: ${result.stderr.toString('utf8').slice(0, 500)}`,
    hint: 'The file system must allow changing owners (some network file systems do not); use a local folder.',
  });
}
