import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readResults } from '#documents/read-results.js';
import { withTemporaryFolder } from '#store/index.js';
import { featurearc } from '../support/command-line.js';
import { makeTask } from '../support/make-task.js';

describe('a task in docker', () => {
  it('is passed by the oracle and failed by a no-op, stage by stage', async () => {
    await withTemporaryFolder('in-docker', async (folder) => {
      const home = join(folder, 'home');
      await makeTask(join(folder, 'tasks', 'sample'));
      const file = join(folder, 'pilot.yaml');
      await writeFile(
        file,
        'name: pilot\ntasks: [tasks/*]\nagents: [{name: oracle, scaffold: oracle}, {name: nop, scaffold: nop}]\nsandbox: {kind: docker}\n',
      );
      const ran = await featurearc(['run', file, '--out', join(folder, 'runs')], { home });
      expect(ran.exitCode, ran.stderr).toBe(0);
      const { lines } = await readResults(await readFile(join(folder, 'runs', 'results.jsonl'), 'utf8'), 'results');
      const f2p = lines.flatMap(({ value }) => (value.kind === 'stage' ? [`${value.agent} ${value.f2p}`] : []));
      expect(f2p.sort()).toEqual([...Array(3).fill('nop false'), ...Array(3).fill('oracle true')]);
    });
  }, 600_000);
});
