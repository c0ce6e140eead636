import { lstat, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from '#kernel/faults.js';

/**
 * Makes an empty folder below a host workspace to mount on. Links in the workspace are never followed: it may be an
 * agent's. What stands at the place itself belongs to the environment and gives way, if it is no folder.
 * @returns false where something other than a folder is in the way above the place
 */
export async function makeMountPoint(hostWorkspace: string, path: string): Promise<boolean> {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  let place = hostWorkspace;
  for (const [index, part] of parts.entries()) {
    place = join(place, part);
    const kind = await kindOf(place);
    if (kind === 'folder') continue;
    if (kind === 'other') {
      if (index < parts.length - 1) return false;
      await rm(place);
    }
    await mkdir(place);
  }
  return true;
}

/**
 * For the sandbox without mounts: a folder of links to what an environment folder holds, with real empty folders where
 * tools write.
 * @param scratch paths below the folder
 */
export async function linkFolder(from: string, to: string, scratch: readonly string[]): Promise<void> {
  for (const name of await readdir(from)) {
    const inside = scratch.filter((path) => path === name || path.startsWith(`${name}/`));
    if (inside.length === 0) {
      if ((await kindOf(join(to, name))) === 'nothing') await symlink(join(from, name), join(to, name));
      continue;
    }
    await mkdir(join(to, name), { recursive: true });
    if (inside.includes(name)) continue;
    await linkFolder(
      join(from, name),
      join(to, name),
      inside.map((path) => path.slice(name.length + 1)),
    );
  }
  for (const path of scratch) await mkdir(join(to, path), { recursive: true });
}

async function kindOf(path: string): Promise<'nothing' | 'folder' | 'other'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other';
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'ENOENT') return 'nothing';
    throw thrown;
  }
}
