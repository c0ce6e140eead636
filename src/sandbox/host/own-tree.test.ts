import { link, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountSource, ownTrees } from './own-tree.js';

const isRoot = process.getuid?.() === 0;
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-tree-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!isRoot)('ownTrees (skipped unless root)', () => {
  it('gives every entry away but nothing that a link leads to', async () => {
    await mkdir(join(folder, 'tree/deep'), { recursive: true });
    await mkdir(join(folder, 'outside/below'), { recursive: true });
    await writeFile(join(folder, 'tree/deep/file'), '');
    await writeFile(join(folder, 'tree/odd\nname'), '');
    await symlink(join(folder, 'outside'), join(folder, 'tree/link'));
    await link(join(folder, 'tree/deep/file'), join(folder, 'tree/hard'));
    await ownTrees([join(folder, 'tree')], 64_123);
    const uidOf = async (path: string): Promise<number> => (await lstat(join(folder, path))).uid;
    for (const path of ['tree', 'tree/deep', 'tree/deep/file', 'tree/odd\nname', 'tree/link', 'tree/hard']) {
      expect(await uidOf(path)).toBe(64_123);
    }
    expect(await uidOf('outside')).toBe(0);
    expect(await uidOf('outside/below')).toBe(0);
  });
});

describe('mountSource', () => {
  it('resolves links and refuses to make a system folder writable, also behind a link', async () => {
    await symlink('/usr', join(folder, 'to-usr'));
    expect(await mountSource(join(folder, 'to-usr'), false)).toBe('/usr');
    await expect(mountSource(join(folder, 'to-usr'), true)).rejects.toMatchObject({ code: 'mount-too-wide' });
    await expect(mountSource(join(folder, 'no'), false)).rejects.toMatchObject({ code: 'mount-missing' });
  });
});
