import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainEnvironment, runProcess } from '#process/index.js';
import { tarOf } from './tar.js';

describe('tarOf', () => {
  it('writes folders and links that tar reads, the same bytes each time', async () => {
    const entries = [
      { path: 'etc', link: null },
      { path: 'bin', link: 'usr/bin' },
    ];
    const archive = tarOf(entries);
    expect(tarOf(entries).equals(archive)).toBe(true);
    const folder = await mkdtemp(join(tmpdir(), 'tar-test-'));
    try {
      const result = await runProcess({ argv: ['tar', '-x', '-C', folder], env: plainEnvironment(), stdin: archive });
      expect(result).toMatchObject({ exitCode: 0, stderr: Buffer.alloc(0) });
      expect(await readdir(folder)).toEqual(['bin', 'etc']);
      expect(await readlink(join(folder, 'bin'))).toBe('usr/bin');
      expect((await stat(join(folder, 'etc'))).mode & 0o777).toBe(0o755);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
