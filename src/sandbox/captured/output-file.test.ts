import { writeSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutputFile } from './output-file.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-file-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('OutputFile', () => {
  it('keeps the first bytes up to its cap and says that more came', async () => {
    const path = join(folder, 'out');
    const file = await OutputFile.create({ path, maxBytes: 4, owner: null, mirror: join(folder, 'mirror') });
    writeSync(file.fd, 'abc');
    writeSync(file.fd, 'defgh');
    expect((await file.finish(true)).toString()).toBe('abcd');
    expect(file.truncated).toBe(true);
    expect((await stat(path)).size).toBe(4);
    expect(await readFile(join(folder, 'mirror'), 'utf8')).toBe('abcd');
  });

  it('takes what fits exactly without a mark', async () => {
    const file = await OutputFile.create({ path: join(folder, 'out'), maxBytes: 3, owner: null, mirror: null });
    writeSync(file.fd, 'abc');
    expect((await file.finish(true)).toString()).toBe('abc');
    expect(file.truncated).toBe(false);
  });

  it('does not write through a link that lies in its place', async () => {
    await writeFile(join(folder, 'victim'), 'kept');
    await symlink(join(folder, 'victim'), join(folder, 'out'));
    const created = OutputFile.create({ path: join(folder, 'out'), maxBytes: 3, owner: null, mirror: null });
    await expect(created).rejects.toMatchObject({ code: 'ELOOP' });
    expect(await readFile(join(folder, 'victim'), 'utf8')).toBe('kept');
  });
});
