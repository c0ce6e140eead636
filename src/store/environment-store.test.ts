import { chmod, mkdir, readdir, readFile, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOfFolder, environmentFolder, putEnvironment } from './environment-store.js';
import { withTemporaryFolder } from './temporary-folders.js';

async function fill(folder: string): Promise<void> {
  await mkdir(join(folder, 'a/empty'), { recursive: true });
  await writeFile(join(folder, 'a/file'), 'content');
  await writeFile(join(folder, 'a/program'), '#!/bin/sh\n', { mode: 0o755 });
  await symlink('../outside', join(folder, 'link'));
  await writeFile(Buffer.concat([Buffer.from(`${folder}/odd-`), Buffer.from([0xff])]), 'not UTF-8');
}

describe('The environment store', () => {
  it('finds content again by its digest and keeps links and modes', async () => {
    await withTemporaryFolder('store', async (folder) => {
      const [root, source] = [join(folder, 'root'), join(folder, 'source')];
      await fill(source);
      const digest = await putEnvironment(root, source);
      const stored = await environmentFolder(root, digest);
      expect(await digestOfFolder(stored)).toBe(digest);
      expect(await readFile(join(stored, 'a/file'), 'utf8')).toBe('content');
      expect(await readlink(join(stored, 'link'))).toBe('../outside');
      expect(await putEnvironment(root, source)).toBe(digest);
      expect(await readdir(join(root, 'environments'))).toEqual([digest.replace('sha256:', '')]);
    });
  });

  it('takes the same digest for the same content wherever and whenever it was made', async () => {
    await withTemporaryFolder('store', async (folder) => {
      await fill(join(folder, 'one'));
      await fill(join(folder, 'two'));
      await utimes(join(folder, 'two/a/file'), 1, 1);
      await chmod(join(folder, 'two/a/file'), 0o600);
      expect(await digestOfFolder(join(folder, 'two'))).toBe(await digestOfFolder(join(folder, 'one')));
    });
  });

  it.each<[string, (folder: string) => Promise<void>]>([
    ['a changed byte', (folder) => writeFile(join(folder, 'a/file'), 'Content')],
    ['an added folder', async (folder) => void (await mkdir(join(folder, 'b')))],
    ['a file made a program', (folder) => chmod(join(folder, 'a/file'), 0o755)],
    ['one more link', (folder) => symlink('file', join(folder, 'a/link'))],
  ])('takes another digest for %s', async (_what, change) => {
    await withTemporaryFolder('store', async (folder) => {
      await fill(folder);
      const before = await digestOfFolder(folder);
      await change(folder);
      expect(await digestOfFolder(folder)).not.toBe(before);
    });
  });

  it('stores once what two put at the same time, and leaves no part behind', async () => {
    await withTemporaryFolder('store', async (folder) => {
      const [root, source] = [join(folder, 'root'), join(folder, 'source')];
      await fill(source);
      const digests = await Promise.all([putEnvironment(root, source), putEnvironment(root, source)]);
      expect(new Set(digests).size).toBe(1);
      expect(await readdir(join(root, 'environments'))).toHaveLength(1);
    });
  });

  it('says what to do where the content or the digest is not there', async () => {
    await withTemporaryFolder('store', async (folder) => {
      await expect(environmentFolder(folder, `sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({
        code: 'environment-missing',
      });
      await expect(environmentFolder(folder, '../../etc')).rejects.toMatchObject({ code: 'digest-malformed' });
      await expect(putEnvironment(folder, join(folder, 'nowhere'))).rejects.toMatchObject({
        code: 'environment-not-stored',
      });
    });
  });
});
