import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openRepository } from '#git/index.js';
import { makeTemporaryFolder } from '#store/index.js';
import { buildSampleRepository } from './build-sample.js';

it('rebuilds the sample with the same commit ids, at least 40 commits and four stages', async () => {
  const folder = await makeTemporaryFolder('sample-test');
  try {
    const sample = await buildSampleRepository(folder);
    const repository = await openRepository(sample.folder);
    const count = await repository.git({ args: ['rev-list', '--count', 'HEAD'] });
    expect(Number(count.stdout.toString())).toBeGreaterThanOrEqual(40);
    expect(sample.stages.map((commits) => commits.length)).toEqual([1, 2, 1, 1]);
    expect((await repository.commit('HEAD')).oid).toMatchInlineSnapshot(`"ced6c0dbe6dbb9af3ae5bd6edd88a7f1b674d790"`);
    await repository.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
