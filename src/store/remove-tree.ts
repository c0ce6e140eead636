import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { errorCodeOf } from '#kernel/faults.js';

/** Removes a folder with everything in it, also where its owner took the right to write away. Missing is fine. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (thrown) {
    const code = errorCodeOf(thrown);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTEMPTY') throw thrown;
    await openUp(Buffer.from(path));
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Gives the owner all rights on the folder and on those below; no link is followed. */
async function openUp(folder: Buffer): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' }))
    if (entry.isDirectory()) await openUp(Buffer.concat([folder, Buffer.from('/'), entry.name]));
}
