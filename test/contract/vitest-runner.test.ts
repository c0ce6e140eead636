import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { testId } from '#documents/test-identity.js';
import { runnerNamed } from '#testbed/index.js';
import { EMPTY_ENVIRONMENT, runSuiteCase, type SuiteCase, withSuite } from '../support/run-suite.js';

const own = fileURLToPath(new URL('../../', import.meta.url));
/** Further folders with a node_modules that holds an older vitest, separated by colons. */
const others = (process.env.FEATUREARC_VITEST_FOLDERS ?? '').split(':').filter((folder) => folder !== '');

const environment = {
  ...EMPTY_ENVIRONMENT,
  mounts: [{ from: 'node_modules', to: 'node_modules' }],
  scratch: ['node_modules/.vite', 'node_modules/.vite-temp'],
};
const HEAD = "import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';\n";

// Processes are started anew after each hang, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

describe.each([own, ...others])('The vitest runner (vitest of %s)', (environmentFolder) => {
  const old = basename(environmentFolder).startsWith('v0');

  function caseOf(files: Record<string, string>, request: SuiteCase['request'] = {}): SuiteCase {
    const withHead = Object.entries(files).map(([path, text]) => [path, path.includes('.test.') ? HEAD + text : text]);
    return {
      runner: 'vitest',
      files: { 'package.json': '{"type":"module"}', ...Object.fromEntries(withHead) },
      tests: Object.keys(files).filter((path) => path.includes('.test.')),
      environment,
      environmentFolder,
      request,
    };
  }

  it('gives each kind of test its status and each title verbatim', async () => {
    const result = await runSuiteCase(
      caseOf({
        'src/a.test.ts': String.raw`
test('passes', () => { const typed: number = 1; expect(typed).toBe(1); });
test('fails', () => { expect(1).toBe(2); });
test.skip('skipped', () => {});
test.todo('to do');
test.fails('expected to fail', () => { expect(1).toBe(2); });
test.fails('fails to fail', () => {});
test('slow', () => new Promise((resolve) => setTimeout(resolve, 3000)), 100);
let tries = 0;
test('second try', { retry: 2 } as never, () => { tries += 1; expect(tries).toBe(2); });
describe('s x', () => { it('dup', () => {}); });
describe('s', () => { it('x dup', () => {}); it('same', () => {}); it('same', () => { throw new Error('second'); }); });
it.each([1, 1])('equal rows', () => {});
test(' blanks \n newline "q" \\ \u00e9 \u{1F600} ', () => {});
test('snapshot', () => { expect({ a: 1 }).toMatchSnapshot(); });
describe('before', () => { beforeAll(() => { throw new Error('in before'); }); it('one', () => {}); });
describe('after', () => { afterAll(() => { throw new Error('in after'); }); it('one', () => {}); });
`.replace(
          old ? '{ retry: 2 } as never, () => { tries += 1; expect(tries).toBe(2); }' : '\0',
          '() => { tries += 1; expect(tries).toBe(2); }, { retry: 2 }',
        ),
      }),
    );
    const file = 'src/a.test.ts';
    expect(result.statuses).toEqual({
      [`${file}::["passes"]`]: 'pass',
      [`${file}::["fails"]`]: 'fail',
      [`${file}::["skipped"]`]: 'skip',
      [`${file}::["to do"]`]: 'todo',
      [`${file}::["expected to fail"]`]: 'xfail',
      [`${file}::["fails to fail"]`]: 'xpass',
      [`${file}::["slow"]`]: 'timeout',
      [`${file}::["second try"]`]: 'fail',
      [`${file}::["s x","dup"]`]: 'pass',
      [`${file}::["s","x dup"]`]: 'pass',
      [`${file}::["s","same"]`]: 'pass',
      [`${file}::["s","same"]#1`]: 'fail',
      [`${file}::["equal rows"]`]: 'pass',
      [`${file}::["equal rows"]#1`]: 'pass',
      [`${file}::[" blanks \\n newline \\"q\\" \\\\ é 😀 "]`]: 'pass',
      [`${file}::["snapshot"]`]: 'fail',
      [`${file}::["before","one"]`]: 'error',
      [`${file}::["after","one"]`]: 'pass',
    });
    expect(result).toMatchObject({ failure: null, exitCode: 1, states: { [file]: 'ran' } });
    expect(result.targets[0]?.message).toContain('in after');
  });

  it('keeps files apart: what cannot be parsed, loaded, or dies costs only itself', async () => {
    const result = await runSuiteCase(
      caseOf(
        {
          'syntax.test.ts': 'test(',
          'import.test.ts': "import './nowhere'; test('never', () => {});",
          'throw.test.ts': "test('seen', () => {}); throw new Error('at load');",
          'exit.test.ts': "test('never', () => {}); process.exit(0);",
          'exit-in.test.ts': "test('exits', () => { process.exit(0); });",
          'kill.test.ts': "test('kills', () => process.kill(process.pid, 'SIGKILL'));",
          'empty.test.ts': '',
          'good.test.ts': "test('good', () => {});",
          'good.test.tsx': "test('good too', () => { throw new Error('x'); });",
        },
        {
          files: [
            'syntax.test.ts',
            'import.test.ts',
            'throw.test.ts',
            'exit.test.ts',
            'exit-in.test.ts',
            'kill.test.ts',
            'empty.test.ts',
            'good.test.ts',
            'other.ts',
          ],
        },
      ),
    );
    expect(result.states).toEqual({
      'syntax.test.ts': 'compile-failed',
      'import.test.ts': 'collect-failed',
      'throw.test.ts': 'collect-failed',
      'exit.test.ts': old ? 'crashed' : 'collect-failed',
      'exit-in.test.ts': old ? 'crashed' : 'ran',
      'kill.test.ts': 'crashed',
      'empty.test.ts': 'empty',
      'good.test.ts': 'ran',
      'other.ts': 'not-reached',
    });
    // A worker that dies at once may not have told which test it was in.
    expect(['crash', 'missing']).toContain(result.statuses['kill.test.ts::["kills"]']);
    expect(result.statuses['good.test.ts::["good"]']).toBe('pass');
    // Version 0 ends altogether when a test calls exit; later ones make the test fail.
    expect(old ? ['crash', 'missing'] : ['fail']).toContain(result.statuses['exit-in.test.ts::["exits"]']);
    expect(result.failure).toBe('crash');
  });

  it('ends a test that never returns and loses no other file', async () => {
    const result = await runSuiteCase(
      caseOf(
        {
          'loop.test.ts': "test('first', () => {}); test('loops', () => { for (;;); }); test('later', () => {});",
          'load.test.ts': 'for (;;);',
          'wait.test.ts': "test('waits', () => new Promise(() => {})); test('later', () => {});",
          'a.test.ts': "test('good', () => {});",
          'b.test.ts': "test('good', () => {});",
        },
        { perTestTimeoutMs: 1000, loadTimeoutMs: 25_000, timeoutMs: 200_000 },
      ),
    );
    expect(result.states).toEqual({
      'loop.test.ts': 'hung',
      'load.test.ts': 'hung',
      'wait.test.ts': 'ran',
      'a.test.ts': 'ran',
      'b.test.ts': 'ran',
    });
    expect(result.statuses).toMatchObject({
      'wait.test.ts::["waits"]': 'timeout',
      'wait.test.ts::["later"]': 'pass',
      'a.test.ts::["good"]': 'pass',
      'b.test.ts::["good"]': 'pass',
    });
    // A worker that blocks at once may not have told which test it was in.
    expect(['timeout', 'missing']).toContain(result.statuses['loop.test.ts::["loops"]']);
    expect(result.failure).toBe('hang');
  });

  it('says so where the configuration cannot be loaded', async () => {
    const result = await runSuiteCase(
      caseOf({ 'vitest.config.ts': "throw new Error('broken config');", 'a.test.ts': "test('a', () => {});" }),
    );
    expect(result).toMatchObject({ failure: 'collect', states: { 'a.test.ts': 'collect-failed' } });
    expect(result.evidence).toContain('broken config');
  });

  it('lists tests without running them', async () => {
    const files = {
      'a.test.ts': "test('one', () => { process.exit(1); }); describe('s', () => { it('two', () => {}); });",
      'b.test.ts': "import './nowhere';",
    };
    const listed = await withSuite(caseOf(files), (request) => runnerNamed('vitest').list(request));
    expect(listed?.keys.map(testId)).toEqual(['a.test.ts::["one"]', 'a.test.ts::["s","two"]']);
    expect(listed?.targets.map(({ state }) => state)).toEqual(['ran', 'collect-failed']);
  });

  it('shuffles tests by seed and moves the clock', async () => {
    const files = {
      'a.test.ts': `${[1, 2, 3, 4, 5, 6].map((n) => `test('${n}', () => { globalThis.ran = (globalThis.ran ?? '') + ${n}; });`).join('\n')}\nafterAll(() => { throw new Error('order ' + globalThis.ran + ' year ' + new Date().getFullYear()); });`,
    };
    const read = async (request: SuiteCase['request']) =>
      (await runSuiteCase(caseOf(files, request))).targets[0]?.message ?? '';
    expect(await read({ clockDays: 3660 })).toContain(
      `order 123456 year ${new Date(Date.now() + 3660 * 86_400_000).getFullYear()}`,
    );
    const mixed = /order (\d+)/.exec(await read({ order: { kind: 'shuffled', seed: 's' } }))?.[1];
    expect(mixed?.split('').sort().join('')).toBe('123456');
    expect(await read({ order: { kind: 'shuffled', seed: 's' } })).toContain(`order ${mixed}`);
  });

  it.skipIf(/\/v[012][^/]*$/.test(environmentFolder))(
    'keeps the projects of a workspace apart and overrules their repetitions (projects need vitest 3.2)',
    async () => {
      const project = (name: string) =>
        `{ test: { name: '${name}', retry: 3, testTimeout: 200, include: ['*.test.ts'] } }`;
      const result = await runSuiteCase(
        caseOf({
          'vitest.config.ts': `export default { test: { projects: [${project('one')}, ${project('two')}] } };`,
          'a.test.ts':
            "let tries = 0; test('wavers', () => { tries += 1; expect(tries).toBe(2); }); test('waits', () => new Promise((resolve) => setTimeout(resolve, 600)));",
        }),
      );
      expect(result.statuses).toEqual({
        '{"one"}a.test.ts::["wavers"]': 'fail',
        '{"one"}a.test.ts::["waits"]': 'pass',
        '{"two"}a.test.ts::["wavers"]': 'fail',
        '{"two"}a.test.ts::["waits"]': 'pass',
      });
    },
  );
});
