import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository } from '#git/index.js';
import { makeTemporaryFolder } from '#store/index.js';
import { type CommitScript, scriptHistory } from '../../test/support/script-history.js';
import { chainCheckpoint } from './chain-checkpoint.js';

const commit = (name: string, parents?: number[]): CommitScript => ({
  message: name,
  files: [[`${name}.py`, `${name} = 1\n`]],
  ...(parents === undefined ? {} : { parents }),
});

it('is the oldest commit of the mainline that has stages of parallel branches, and nobody where the last one will do', async () => {
  const folder = await makeTemporaryFolder('chain-checkpoint');
  try {
    // 1 - 2 ------ 5 - 6 - 7 - 8     3 and 4 are branches from 1, merged by 5 and 7.
    const script = [commit('a'), commit('b'), commit('c', [1]), commit('d', [1]), commit('e', [2, 3]), commit('f')];
    const ids = scriptHistory(join(folder, 'x.git'), [...script, commit('g', [6, 4]), commit('h')]);
    const id = (mark: number): string => ids[mark] ?? '';
    const repository = await openRepository(join(folder, 'x.git'));
    const ask = (...stages: number[]) =>
      chainCheckpoint(
        repository,
        stages.map((mark) => [id(mark)]),
        id(8),
      );
    expect(await ask(1, 3)).toBeUndefined();
    expect(await ask(2, 3)).toBe(id(5));
    expect(await ask(3, 4)).toBe(id(7));
    expect(await ask(2, 4)).toBe(id(7));
    await repository.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
