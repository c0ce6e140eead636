import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchPlaces, type GradingBench, openGradingBench } from '../../../test/support/grade-edited.js';
import { makeTask } from '../../../test/support/make-task.js';
import { makeTinyTask } from '../../../test/support/make-tiny-task.js';
import { EMPTY_ENVIRONMENT } from '../../../test/support/run-suite.js';
import { TINY_FEATURES } from '../../../test/support/tiny-feature.js';

describe('grading a snapshot', () => {
  let folder: string;
  let bench: GradingBench;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grade-test-'));
    const places = benchPlaces(folder);
    await makeTask(places.task);
    bench = await openGradingBench(places.task, places.gitDir);
  });
  afterAll(async () => {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes the reference at every gate and draws twins that fail', async () => {
    for (const [stage, state] of [
      [0, 1],
      [1, 2],
      [2, 3],
      ['chain', 3],
    ] as const) {
      const { verdict } = await bench.grade(stage, await bench.edited(state, {}));
      expect(verdict).toMatchObject({ f2p: true, p2p: true, failure: null, valid: true, marks: [], control: null });
      expect(verdict.twins.map((twin) => twin.status)).toEqual(['fail']);
      expect(verdict.gradings).toHaveLength(1);
    }
  });

  it('fails F2P and passes P2P where nothing was done, after three gradings', async () => {
    const { verdict } = await bench.grade(1, await bench.edited(1, {}));
    expect(verdict).toMatchObject({ f2p: false, p2p: true, failure: 'tests', valid: true, marks: [], flips: [] });
    expect(verdict.gradings.map((grading) => grading.order.split(' ')[0])).toEqual(['listed', 'reversed', 'shuffled']);
  });

  it('lets other files speak where one does not compile', async () => {
    const { verdict } = await bench.grade(1, await bench.edited(1, { 'src/slug.js': 'export const other = 1;\n' }));
    expect(verdict).toMatchObject({ f2p: false, p2p: false, failure: 'compile', control: { valid: true } });
    const shout = verdict.tests.find((test) => test.id.includes('shout'));
    expect(shout?.status).toBe('pass');
  });

  it('hears P2P tests as they were before the stage where the hidden file does not load', async () => {
    const own = await mkdtemp(join(folder, 'tiny-'));
    const feature = TINY_FEATURES['node-test'];
    const places = benchPlaces(own);
    await makeTinyTask(places.task, {
      environment: EMPTY_ENVIRONMENT,
      feature: {
        ...feature,
        // From the stage on the file of the old tests needs a name that the agent does not bring.
        fileOf: (tests, state) =>
          (state === 0 ? '' : "import { scale } from '../src/calc.js';\n") + feature.fileOf(tests, state),
      },
    });
    const tiny = await openGradingBench(places.task, places.gitDir);
    const { verdict } = await tiny.grade(0, await tiny.edited(0, {}), { gradings: 1 });
    expect(verdict).toMatchObject({ f2p: false, p2p: true, failure: 'compile', control: { valid: true } });
    const broken = await tiny.edited(0, { 'src/calc.js': 'export const add = () => 0;\n' });
    expect((await tiny.grade(0, broken, { gradings: 1 })).verdict).toMatchObject({ f2p: false, p2p: false });
    await tiny.close();
  });

  it('sets tests of the agent aside, lays its own over, and says so', async () => {
    const { verdict } = await bench.grade(
      0,
      await bench.edited(1, {
        'test/slug.test.js': "import { test } from 'node:test'; test('slug joins words', () => {});\n",
        'test/more.test.js': 'process.exit(1);\n',
      }),
    );
    expect(verdict).toMatchObject({ f2p: true, p2p: true });
    expect(verdict.marks.map((one) => `${one.mark} ${one.what}`)).toEqual([
      'overlaid test/more.test.js: a test of the agent, set aside',
      'overlaid test/slug.test.js: changed by the agent',
    ]);
  });

  it('calls an unreadable manifest the agent’s own fault without running anything', async () => {
    const { verdict } = await bench.grade(0, await bench.edited(1, { 'package.json': '{ "type": ' }));
    expect(verdict).toMatchObject({ f2p: false, p2p: false, failure: 'compile', valid: true });
  });

  it('calls what fails on the reference too invalid', async () => {
    const { verdict } = await bench.grade(0, await bench.edited(1, { 'src/slug.js': 'process.exit(0);\n' }), {
      environmentFolder: null,
      package: {
        ...bench.task,
        environment: { ...bench.task.environment, prepare: [{ argv: ['false'], cwd: '', timeoutMs: 5000 }] },
      },
    });
    expect(verdict).toMatchObject({
      f2p: null,
      p2p: null,
      valid: false,
      failure: 'compile',
      control: { valid: false },
    });
  });

  it('takes equal gradings from the cache, and not those of another seed', async () => {
    const tree = await bench.edited(1, {});
    const cacheFolder = join(folder, 'cache');
    const first = await bench.grade(0, tree, { cacheFolder });
    const again = await bench.grade(0, tree, { cacheFolder, agent: 'other' });
    const other = await bench.grade(0, tree, { cacheFolder, seed: 'another' });
    expect([first, again, other].map(({ verdict }) => verdict.gradings[0]?.cached)).toEqual([false, true, false]);
    expect({ ...again.verdict.tests }).toEqual({ ...first.verdict.tests });
    expect(again.output.equals(first.output)).toBe(true);
  });
});
