import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCodeOf } from '#kernel/faults.js';
import { unguessableId } from '#kernel/ids.js';
import { temporaryName } from '#store/index.js';

const PREFIX = 'featurearc-sandbox-';

/** The host-side belongings of one open sandbox. Everything about it can be found again by its label. */
export interface SandboxHome {
  /** Name of the sandbox: begins with what `namePrefixOf(label)` gives. */
  name: string;
  /** Folder for streams, skeletons and scratch space: others may pass through it but not list it. */
  folder: string;
  /** Environment entry that marks host processes of this sandbox. */
  marker: { name: string; value: string };
}

/** The beginning of the names of all sandboxes with this label. A digest: the label itself must not be seen inside. */
export function namePrefixOf(label: string): string {
  return `${createHash('sha256').update(label).digest('hex').slice(0, 20)}-`;
}

export const MARKER_NAME = 'FEATUREARC_SANDBOX';

/** Makes the folder of a new sandbox. */
export async function makeSandboxHome(label: string): Promise<SandboxHome> {
  const name = `${namePrefixOf(label)}${unguessableId()}`;
  // Begins with PREFIX and the name; ends with whose it is, so that it can also be swept without knowing the label.
  const folder = join(tmpdir(), await temporaryName(`sandbox-${name}`));
  await mkdir(folder, { mode: 0o711 });
  return { name, folder, marker: { name: MARKER_NAME, value: name } };
}

/** Removes the folder; safe to call twice. */
export async function removeSandboxHome(home: SandboxHome): Promise<void> {
  await rm(home.folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes folders that dead sandboxes of this label left; those of other users are left alone. */
export async function removeSandboxHomes(label: string): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    if (!entry.startsWith(`${PREFIX}${namePrefixOf(label)}`)) continue;
    const folder = join(tmpdir(), entry);
    if (await isOurs(folder)) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function isOurs(folder: string): Promise<boolean> {
  try {
    const found = await lstat(folder);
    return found.isDirectory() && found.uid === process.getuid?.();
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}
