import { lstat, mkdtemp, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCodeOf, Fault, messageOf } from '#kernel/faults.js';
import { diskFault } from './files.js';

/**
 * Proves, before long work, that a folder can be made or written to: by making and removing one in it, or in the nearest
 * folder above that is there. Making missing folders by `mkdir -p` is no proof: in some file systems it never ends.
 * @throws Fault `folder-not-writable` (input), `disk-full` (environment)
 */
export async function requireWritable(folder: string): Promise<void> {
  const place = await nearestThere(resolve(folder));
  try {
    await rmdir(await mkdtemp(join(place, '.featurearc-probe-')));
  } catch (thrown) {
    throw (
      diskFault(thrown, place) ??
      new Fault({
        code: 'folder-not-writable',
        kind: 'input',
        message: `${folder}: cannot be written to: ${messageOf(thrown)}`,
        hint: 'Choose another folder, or change who may write there.',
        cause: thrown,
      })
    );
  }
}

async function nearestThere(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    try {
      await lstat(place);
      return place;
    } catch (thrown) {
      const isAbove = ['ENOENT', 'ENOTDIR'].includes(errorCodeOf(thrown) ?? '') && place !== dirname(place);
      // What cannot be looked at cannot be written to either: the attempt says why.
      if (!isAbove) return place;
    }
  }
}
