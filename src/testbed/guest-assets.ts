import { fileURLToPath } from 'node:url';
import type { Mount, Sandbox } from '#sandbox/index.js';

const HOST_FOLDER = fileURLToPath(new URL('./guest/', import.meta.url)).replace(/\/$/, '');
const GUEST_FOLDER = '/featurearc/runner';

/** Carries our reporters into the sandbox, read-only, for one command. */
export const GUEST_ASSETS: Mount = { from: HOST_FOLDER, to: GUEST_FOLDER, mode: 'ro' };

/** The path at which a command in the sandbox sees one of our guest files. */
export function guestAsset(sandbox: Sandbox, name: string): string {
  // `local` has no mounts: a command there sees the host's own files.
  return `${sandbox.kind === 'local' ? HOST_FOLDER : GUEST_FOLDER}/${name}`;
}
