import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireWritable } from './require-writable.js';
import { withTemporaryFolder } from './temporary-folders.js';

describe('a folder that something will be written to', () => {
  it('passes where it, or the nearest folder above, can be written to, and nothing is left there', async () => {
    await withTemporaryFolder('writable', async (folder) => {
      await requireWritable(folder);
      await requireWritable(join(folder, 'a', 'b'));
      expect(await readdir(folder)).toEqual([]);
    });
  });

  it('is refused where nothing can be made, also in file systems that make nothing', async () => {
    await withTemporaryFolder('writable', async (folder) => {
      await writeFile(join(folder, 'file'), '');
      for (const place of ['/proc/featurearc/x', join(folder, 'file'), join(folder, 'file', 'below', 'it')])
        await expect(requireWritable(place)).rejects.toMatchObject({ code: 'folder-not-writable', kind: 'input' });
    });
  });
});
