import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainEnvironment, runProcess } from '#process/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { openObjectReader } from './object-reader.js';

describe('reading objects of a clone that was made without some', () => {
  it('answers what was left out as missing, whatever is asked with it, and fetches nothing', async () => {
    await withTemporaryFolder('object-reader', async (folder) => {
      await mkdir(join(folder, 'work'));
      const run = async (script: string): Promise<string> => {
        const env = { ...plainEnvironment(), HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' };
        const { exitCode, stdout, stderr } = await runProcess({ argv: ['sh', '-ec', script], cwd: folder, env });
        expect(stderr.toString()).toBe('');
        expect(exitCode).toBe(0);
        return stdout.toString('utf8').trim();
      };
      await run(`cd work; git init -q; git config uploadpack.allowFilter true
        for name in a b c; do echo $name > $name; done; git add -A
        git -c user.name=a -c user.email=a@b commit -qm one
        git clone -q --bare --filter=blob:none file://$PWD ../partial`);
      const ids = (await run('cd work; git rev-parse HEAD HEAD:a HEAD:b HEAD:c')).split('\n');
      const reader = await openObjectReader({ gitDir: join(folder, 'partial') });
      const asked = ['HEAD:a', ...ids, ...ids, 'HEAD', 'HEAD:b', '0'.repeat(40)];
      const answers = await Promise.all(asked.map((name) => reader.read(name)));
      const expected = [null, 'commit', null, null, null, 'commit', null, null, null, 'commit', null, null];
      expect(answers.map((answer) => answer?.type ?? null)).toEqual(expected);
      expect((await reader.read('HEAD^{tree}'))?.type).toBe('tree');
      await reader.close();
    });
  });
});
