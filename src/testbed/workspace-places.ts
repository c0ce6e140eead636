import { isAbsolute, join } from 'node:path';
import type { Environment } from '#documents/environment.js';
import type { Mount, SandboxKind } from '#sandbox/index.js';

/** Guest paths, the same in every sandbox. */
export const WORKSPACE = '/workspace';
export const ENVIRONMENT = '/featurearc/env';
export const HOME = '/featurearc/home';
export const TMP = '/tmp';

/** The path at which commands of this kind of sandbox see a guest path (`local` sees the host's own). */
export function placeOf(kind: SandboxKind, mounts: readonly Mount[], guestPath: string): string {
  if (kind !== 'local') return guestPath;
  const under = ({ to }: Mount) => guestPath === to || guestPath.startsWith(`${to}/`);
  const [mount] = mounts.filter(under).sort((a, b) => b.to.length - a.to.length);
  return mount === undefined ? guestPath : join(mount.from, guestPath.slice(mount.to.length));
}

/** Where a path of an environment document lies in the sandbox: absolute as it is, else below the workspace. */
export function guestPlace(path: string): string {
  return isAbsolute(path) ? path : join(WORKSPACE, path);
}

/**
 * Makes runs the same everywhere: no questions, one time zone, one language, one hash seed. Colours stay as the project's
 * own CI has them: tests of coloured output fail under NO_COLOR, and no verdict of ours is read from output.
 */
const PINNED: Readonly<Record<string, string>> = {
  CI: '1',
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  SOURCE_DATE_EPOCH: '1704067200',
};

/** The whole environment of commands in a workspace sandbox. */
export function workspaceVariables(
  environment: Environment,
  place: (guestPath: string) => string,
  toolchainPath: string,
): Record<string, string> {
  const fill = (text: string): string =>
    text.replaceAll('{workspace}', place(WORKSPACE)).replaceAll('{environment}', place(ENVIRONMENT));
  const own = Object.entries(environment.env).map(([name, value]) => [name, fill(value)]);
  return {
    ...PINNED,
    HOME: place(HOME),
    TMPDIR: place(TMP),
    ...Object.fromEntries(own),
    PATH: [...environment.path.map(fill), toolchainPath].join(':'),
  };
}
