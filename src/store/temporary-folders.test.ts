import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownStamp } from './process-identity.js';
import { removeTree } from './remove-tree.js';
import { makeTemporaryFolder, sweepTemporaryFolders } from './temporary-folders.js';

describe('temporary folders', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'temporary-folders-test-'));
  });
  afterEach(async () => {
    await rm(parent, { recursive: true, force: true });
  });

  it('are swept when their process is dead, and left alone while it lives', async () => {
    const ours = await makeTemporaryFolder('a-purpose', parent);
    const [namespace = ''] = (await ownStamp()).split('.');
    await mkdir(join(parent, `featurearc-gate-${namespace}.4194305.1-abcdef`, 'deep'), { recursive: true });
    await mkdir(join(parent, `featurearc-gate-${namespace}.${process.pid}.1-abcdef`));
    // Another process namespace: whether that one lives cannot be seen from here.
    await mkdir(join(parent, 'featurearc-gate-1.4194305.1-abcdef'));
    await mkdir(join(parent, 'featurearc-sandbox-1'));
    expect(await sweepTemporaryFolders(parent)).toBe(2);
    expect((await readdir(parent)).sort()).toEqual(
      [basename(ours), 'featurearc-gate-1.4194305.1-abcdef', 'featurearc-sandbox-1'].sort(),
    );
  });

  it('are removed even where a folder inside was made read-only', async () => {
    const folder = await makeTemporaryFolder('locked', parent);
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'a', 'b'), '');
    await chmod(join(folder, 'a'), 0o500);
    await removeTree(folder);
    await removeTree(folder);
    expect(await readdir(parent)).toEqual([]);
  });
});
