import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodeOf } from '#kernel/faults.js';
import { runProcess } from '#process/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { instantGrade } from '../../test/support/instant-grade.js';
import { makeTask } from '../../test/support/make-task.js';
import { snapshotTrees, timelessResults } from '../../test/support/play-experiment.js';
import { runExperiment } from './run-experiment.js';

const env = { PATH: process.env.PATH ?? '' };
const run = (...argv: string[]) => runProcess({ argv, env });
const canMount = process.getuid?.() === 0 && (await withTemporaryFolder('mount-probe', probe));

async function probe(folder: string): Promise<boolean> {
  const { exitCode } = await run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', folder);
  return exitCode === 0 && (await run('umount', folder)).exitCode === 0;
}

/** Takes every block that is left. */
function fillUp(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'ENOSPC') throw thrown;
  } finally {
    closeSync(file);
  }
}

describe.skipIf(!canMount)(
  `a full disk${canMount ? '' : ' (skipped: a small file system cannot be mounted here)'}`,
  () => {
    it('parks the run with a clear reason at whatever point it strikes, and the run goes on once there is room', async () => {
      await withTemporaryFolder('full-disk', async (folder) => {
        await makeTask(join(folder, 'task'));
        const file = join(folder, 'experiment.yaml');
        await writeFile(
          file,
          'name: full\ntasks: [task]\nagents: [{name: oracle, scaffold: oracle}]\nsandbox: {kind: local}\n',
        );
        const request = { file, toolVersion: 'test', grade: instantGrade };
        const whole = await runExperiment({ ...request, folder: join(folder, 'whole') });
        const expected = { results: await timelessResults(whole), trees: await snapshotTrees(whole.folder) };
        const disk = join(folder, 'disk');
        await mkdir(disk);
        expect((await run('mount', '-t', 'tmpfs', '-o', 'size=3m', 'none', disk)).exitCode).toBe(0);
        try {
          const points = ['process-started', 'stage-started', 'turn-ended', 'snapshot-taken', 'gate-started'];
          for (const point of points) {
            const out = join(disk, 'out');
            const fill = (name: string): void => {
              if (name === point) fillUp(join(disk, 'ballast'));
            };
            const full = await runExperiment({ ...request, folder: out, faultPoint: fill }).then(
              ({ unfinished }) => unfinished[0]?.fault ?? null,
              (thrown: unknown) => thrown,
            );
            expect(full, point).toMatchObject({ kind: 'environment', code: 'disk-full' });
            await rm(join(disk, 'ballast'));
            const report = await runExperiment({ ...request, folder: out });
            expect(
              report.runs.map(({ end }) => end),
              point,
            ).toEqual(['complete']);
            expect(await timelessResults(report), point).toEqual(expected.results);
            expect(await snapshotTrees(out), point).toEqual(expected.trees);
            await rm(out, { recursive: true });
          }
        } finally {
          await run('umount', '-l', disk);
        }
        expect(await readdir(disk)).toEqual([]);
      });
    });
  },
);
