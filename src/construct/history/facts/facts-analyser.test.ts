import { describe, expect, it } from 'vitest';
import { createRepository } from '#git/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { FactsAnalyser } from './facts-analyser.js';
import { type FileVersion, pairKey } from './facts-job.js';

describe('reading versions of files ahead', () => {
  it('fails once, and only for those who wait, where the repository can no longer be read', async () => {
    await withTemporaryFolder('facts-analyser', async (folder) => {
      const repository = await createRepository(folder);
      await repository.close();
      const versions = [1, 2, 3].map((digit): FileVersion => ({ oid: String(digit).repeat(40), language: 'python' }));
      const pairs = versions.map((version) => ({ key: pairKey(version, version), old: null, new: version }));
      const unheard: unknown[] = [];
      const listen = (thrown: unknown): void => {
        unheard.push(thrown);
      };
      process.on('unhandledRejection', listen);
      try {
        await expect(new FactsAnalyser(repository).run({ pairs, skip: [] })).rejects.toMatchObject({
          code: 'reader-closed',
        });
        await new Promise((resolve) => setImmediate(resolve));
      } finally {
        process.off('unhandledRejection', listen);
      }
      expect(unheard).toEqual([]);
    });
  });
});
