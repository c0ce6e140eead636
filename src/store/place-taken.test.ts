import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, writeFileAtomic } from './files.js';
import { inOwnFolder, requireFilePlace } from './place-taken.js';
import { withTemporaryFolder } from './temporary-folders.js';

const TAKEN = { code: 'place-taken', kind: 'input' };

describe('places of files of ours', () => {
  it('are free where nothing or a file stands, and taken where a folder does', async () => {
    await withTemporaryFolder('place-taken', async (folder) => {
      await writeFile(join(folder, 'file'), '');
      await requireFilePlace(join(folder, 'file'));
      await requireFilePlace(join(folder, 'nothing'));
      await expect(requireFilePlace(folder)).rejects.toMatchObject(TAKEN);
    });
  });

  it('turn out to be taken while they are read or written, in our own folder alone', async () => {
    await withTemporaryFolder('place-taken', async (folder) => {
      const [own, place] = [join(folder, 'own'), join(folder, 'own', 'place')];
      await mkdir(place, { recursive: true });
      await writeFile(join(folder, 'file'), '');
      await expect(inOwnFolder(own, () => readFile(place))).rejects.toMatchObject(TAKEN);
      await expect(inOwnFolder(own, () => writeFileAtomic(place, ''))).rejects.toMatchObject({
        ...TAKEN,
        message: expect.stringContaining(`${place}: `),
      });
      await expect(inOwnFolder(own, () => readFile(join(folder, 'file', 'x')))).rejects.toMatchObject({
        code: 'ENOTDIR',
      });
      expect(await inOwnFolder(own, async () => 1)).toBe(1);
    });
  });

  it('that are folders cannot be read as text, which is nobody’s bug', async () => {
    await withTemporaryFolder('place-taken', async (folder) => {
      await expect(readText(folder, 'Make it.')).rejects.toMatchObject({ code: 'file-unreadable', kind: 'input' });
    });
  });
});
