import { lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openUntrustedFolder } from './untrusted-folder.js';

describe('a folder that untrusted code owns', () => {
  let top: string;
  let root: string;
  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), 'untrusted-folder-test-'));
    root = join(top, 'root');
    await mkdir(root);
    await writeFile(join(top, 'outside'), 'kept');
  });
  afterEach(async () => {
    await rm(top, { recursive: true, force: true });
  });

  it('writes new files with their folders, replaces old ones and keeps their executable bit', async () => {
    const folder = openUntrustedFolder(root);
    await folder.write('a/b/c', Buffer.from('1'));
    await folder.write('run', Buffer.from('1'), true);
    await folder.write('run', Buffer.from('2'));
    await folder.write('\xff', Buffer.from('odd'));
    expect(await folder.read('a/b/c')).toEqual(Buffer.from('1'));
    expect((await lstat(join(root, 'run'))).mode & 0o777).toBe(0o755);
    expect(await readFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), 'utf8')).toBe('odd');
    expect(await folder.read('a/nothing/here')).toBeNull();
  });

  it('replaces a link instead of writing through it, and never passes through one', async () => {
    const folder = openUntrustedFolder(root);
    await symlink('../outside', join(root, 'file-link'));
    await symlink('..', join(root, 'folder-link'));
    expect(await folder.read('file-link')).toBeNull();
    await folder.write('file-link', Buffer.from('new'));
    expect(await readFile(join(top, 'outside'), 'utf8')).toBe('kept');
    expect((await lstat(join(root, 'file-link'))).isFile()).toBe(true);
    for (const act of [
      () => folder.write('folder-link/outside', Buffer.from('x')),
      () => folder.remove('folder-link/outside'),
      () => folder.read('folder-link/outside'),
      () => folder.move('folder-link/outside', 'taken'),
      () => folder.setMode('folder-link', 0o777),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'path-outside' });
    await folder.remove('folder-link');
    expect(await readFile(join(top, 'outside'), 'utf8')).toBe('kept');
  });

  it.each(['../outside', '/etc/x', 'a/../../outside', '', 'a//b', './a'])('refuses the path %j', async (path) => {
    const folder = openUntrustedFolder(root);
    await expect(folder.write(path, Buffer.from('x'))).rejects.toMatchObject({ code: 'path-outside' });
  });

  it('moves, links, removes and changes modes', async () => {
    const folder = openUntrustedFolder(root);
    await folder.write('a', Buffer.from('a'));
    await folder.move('a', 'd/b');
    await folder.link('l', Buffer.from('/nowhere'));
    await folder.setMode('d/b', 0o600);
    expect(await readlink(join(root, 'l'))).toBe('/nowhere');
    expect((await lstat(join(root, 'd/b'))).mode & 0o777).toBe(0o600);
    await folder.remove('d');
    await folder.remove('d');
    expect(await folder.read('d/b')).toBeNull();
  });
});
