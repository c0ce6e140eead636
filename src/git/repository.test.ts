import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProcess } from '#process/index.js';
import { createRepository, openRepository } from './repository.js';
import { diffTrees, keyOfText, type TreeFile } from './tree-files.js';
import { captureFolder, materialise } from './workspace.js';

const EVERYTHING = { owned: [], maxFileBytes: 1e9, maxFiles: 1e6 };

describe('a repository as objects', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repository-test-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('captures a folder to the same tree that git itself makes of it', async () => {
    const work = join(folder, 'work');
    await mkdir(join(work, 'a', 'b'), { recursive: true });
    await mkdir(join(work, 'a.d'));
    await writeFile(join(work, 'a', 'b', 'x.txt'), 'x\r\n');
    await writeFile(join(work, 'a.d', 'y'), 'y');
    await writeFile(join(work, 'a0'), '0');
    await writeFile(Buffer.concat([Buffer.from(`${work}/`), Buffer.from([0xe9, 0x0a, 0x20])]), 'odd name');
    await writeFile(join(work, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    await symlink('/etc/passwd', join(work, 'link'));
    const store = await createRepository(join(folder, 'store.git'));
    const captured = await captureFolder(store, work, EVERYTHING);
    const env = { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' };
    const script = 'git init -q . && git add -A && git write-tree';
    const byGit = await runProcess({ argv: ['sh', '-c', script], cwd: work, env });
    expect(captured.tree).toBe(byGit.stdout.toString().trim());
    expect(captured.lost).toEqual([]);

    const copy = join(folder, 'copy');
    await materialise(store, captured.files, copy);
    const again = await captureFolder(store, copy, EVERYTHING);
    expect(again.tree).toBe(captured.tree);
    await store.close();
  });

  it('reads what it wrote and names what it does not have', async () => {
    const store = await createRepository(join(folder, 'store.git'));
    const oid = await store.writeBlob(Buffer.from('hello'));
    const tree = await store.writeTree(new Map([[keyOfText('dir/file'), { mode: '100644', oid }]]));
    const commit = await store.writeCommit({ tree, message: 'one' });
    expect((await store.commit(commit)).tree).toBe(tree);
    expect(diffTrees(new Map(), await store.files(commit)).map((change) => change.path)).toEqual(['dir/file']);
    await expect(store.commit('nothing')).rejects.toMatchObject({ code: 'revision-unknown' });
    await expect(store.readBlob('0'.repeat(40))).rejects.toMatchObject({ code: 'object-missing' });
    await store.close();
    await expect(openRepository(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'not-a-repository' });
    await expect(openRepository(folder)).rejects.toMatchObject({ code: 'not-a-repository' });
  });

  it('refuses to materialise a path that leaves the folder or passes through a link', async () => {
    const store = await createRepository(join(folder, 'store.git'));
    const oid = await store.writeBlob(Buffer.from('x'));
    const plain = { mode: '100644' as const, oid };
    for (const files of [
      new Map([['../out', plain]]),
      new Map([['a/../../out', plain]]),
      new Map([['.git/config', plain]]),
      new Map<string, TreeFile>([
        ['link', { mode: '120000', oid }],
        ['link/inside', plain],
      ]),
    ]) {
      await expect(materialise(store, files, join(folder, 'target'))).rejects.toMatchObject({ code: 'tree-escapes' });
    }
    await store.close();
  });
});
