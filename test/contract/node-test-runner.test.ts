import { describe, expect, it } from 'vitest';
import { type CaseResult, EMPTY_ENVIRONMENT, runSuiteCase } from '../support/run-suite.js';

const HEAD =
  "import { after, before, beforeEach, describe, it, test } from 'node:test'; import assert from 'node:assert';\n";

/** Further folders with a `node` of another version, separated by colons; '' is the one on the PATH. */
const others = (process.env.FEATUREARC_NODE_FOLDERS ?? '').split(':').filter((folder) => folder !== '');

describe.each(['', ...others])('The node:test runner (%s)', (folder) => {
  const path = folder === '' ? [] : [folder];

  function runNode(files: Record<string, string>, request = {}): Promise<CaseResult> {
    const withHead = Object.entries(files).map(([path, text]) => [path, path.endsWith('.mjs') ? HEAD + text : text]);
    return runSuiteCase({
      runner: 'node-test',
      files: Object.fromEntries(withHead),
      request,
      environment: { ...EMPTY_ENVIRONMENT, path },
    });
  }

  it('gives each kind of test its status and each title verbatim', async () => {
    const result = await runNode({
      'a.test.mjs': String.raw`
test('passes', () => {});
test('fails', () => assert.equal(1, 2));
test('skipped', { skip: 'why' }, () => {});
test('to do', { todo: true }, () => { throw new Error('x'); });
test('slow', { timeout: 50 }, () => new Promise((resolve) => setTimeout(resolve, 400)));
test('parent', async (t) => { await t.test('child', () => {}); await t.test('bad', () => { throw new Error('b'); }); });
describe('s x', () => { it('dup', () => {}); });
describe('s', () => { it('x dup', () => {}); it('same', () => {}); it('same', () => { throw new Error('second'); }); });
test(' blanks \n newline "q" \\ \u00e9 \u{1F600} # ok 1 ', () => {});
test('', () => {});
`,
    });
    expect(result.statuses).toEqual({
      'a.test.mjs::["passes"]': 'pass',
      'a.test.mjs::["fails"]': 'fail',
      'a.test.mjs::["skipped"]': 'skip',
      'a.test.mjs::["to do"]': 'todo',
      'a.test.mjs::["slow"]': 'timeout',
      'a.test.mjs::["parent","child"]': 'pass',
      'a.test.mjs::["parent","bad"]': 'fail',
      'a.test.mjs::["parent"]': 'fail',
      'a.test.mjs::["s x","dup"]': 'pass',
      'a.test.mjs::["s","x dup"]': 'pass',
      'a.test.mjs::["s","same"]': 'pass',
      'a.test.mjs::["s","same"]#1': 'fail',
      'a.test.mjs::[" blanks \\n newline \\"q\\" \\\\ é 😀 # ok 1 "]': 'pass',
      'a.test.mjs::["<anonymous>"]': 'pass',
    });
    expect(result).toMatchObject({ failure: null, exitCode: 1, states: { 'a.test.mjs': 'ran' } });
    expect(result.tests.find(({ key }) => key.path[0] === 'fails')?.message).toContain('1 == 2');
  });

  it('counts tests whose hooks or suite body fail as errors, and names the hook', async () => {
    const result = await runNode({
      'hooks.test.mjs': `
describe('before', () => { before(() => { throw new Error('in before'); }); it('one', () => {}); it('two', () => {}); });
describe('each', () => { beforeEach(() => { throw new Error('in each'); }); it('one', () => {}); });
describe('after', () => { after(() => { throw new Error('in after'); }); it('one', () => {}); });
describe('body', () => { it('one', () => {}); throw new Error('in body'); });
`,
    });
    expect(result.statuses).toEqual({
      'hooks.test.mjs::["before","one"]': 'error',
      'hooks.test.mjs::["before","two"]': 'error',
      'hooks.test.mjs::["each","one"]': 'error',
      'hooks.test.mjs::["after","one"]': 'pass',
      'hooks.test.mjs::["body","one"]': 'error',
    });
    expect(result.targets[0]?.message).toMatch(/before: .*in before[\s\S]*after: .*in after[\s\S]*body: .*in body/);
    expect(result.failure).toBeNull();
  });

  it('keeps files apart: what cannot be parsed, loaded, or ends early costs only itself', async () => {
    const result = await runNode({
      'syntax.test.mjs': 'test(',
      'import.test.mjs': "import './nowhere.mjs'; test('never', () => {});",
      'throw.test.mjs': "test('seen', () => {}); throw new Error('at load');",
      'exit.test.mjs': "test('never', () => {}); process.exit(0);",
      'exit-in.test.mjs': "test('first', () => {}); test('exits', () => process.exit(0)); test('later', () => {});",
      'abort.test.mjs': "test('aborts', () => process.abort());",
      'empty.test.mjs': '',
      'plain.test.mjs': 'globalThis.x = 1;',
      'good.test.mjs': "test('good', () => {});",
    });
    expect(result.states).toEqual({
      'syntax.test.mjs': 'compile-failed',
      'import.test.mjs': 'collect-failed',
      'throw.test.mjs': 'collect-failed',
      'exit.test.mjs': 'crashed',
      'exit-in.test.mjs': 'crashed',
      'abort.test.mjs': 'crashed',
      'empty.test.mjs': 'empty',
      'plain.test.mjs': 'empty',
      'good.test.mjs': 'ran',
    });
    expect(result.statuses).toMatchObject({
      'exit-in.test.mjs::["first"]': 'pass',
      'exit-in.test.mjs::["exits"]': 'crash',
      'abort.test.mjs::["aborts"]': 'crash',
      'good.test.mjs::["good"]': 'pass',
    });
    expect(result.statuses).not.toHaveProperty(['exit-in.test.mjs::["later"]']);
    expect(result.failure).toBe('crash');
  });

  it('ends a test that never returns and goes on with the next file', async () => {
    const result = await runNode(
      {
        'loop.test.mjs': "test('first', () => {}); test('loops', () => { for (;;); }); test('later', () => {});",
        'load.test.mjs': 'for (;;);',
        'wait.test.mjs': "test('waits', () => new Promise(() => setInterval(() => {}, 1000)));",
        'open.test.mjs': "test('done', () => {}); setInterval(() => {}, 1000);",
        'good.test.mjs': "test('good', () => {});",
      },
      { perTestTimeoutMs: 300, loadTimeoutMs: 6_000 },
    );
    expect(result.states).toEqual({
      'loop.test.mjs': 'hung',
      'load.test.mjs': 'hung',
      'wait.test.mjs': 'hung',
      'open.test.mjs': 'hung',
      'good.test.mjs': 'ran',
    });
    expect(result.statuses).toEqual({
      'loop.test.mjs::["first"]': 'pass',
      'loop.test.mjs::["loops"]': 'timeout',
      'wait.test.mjs::["waits"]': 'timeout',
      'open.test.mjs::["done"]': 'pass',
      'good.test.mjs::["good"]': 'pass',
    });
    expect(result).toMatchObject({ failure: 'hang', timedOut: true });
  });

  it('says which files it did not come to when the time for the suite is over', async () => {
    const result = await runNode(
      {
        'a.test.mjs': "test('waits', () => new Promise(() => setInterval(() => {}, 1000)));",
        'b.test.mjs': "test('b', () => {});",
      },
      { timeoutMs: 1500 },
    );
    expect(result.states).toEqual({ 'a.test.mjs': 'hung', 'b.test.mjs': 'not-reached' });
    expect(result.failure).toBe('hang');
  });

  it('moves the clock of the tests and of the programs they start', async () => {
    const ahead = (days: number) => `
import { execFileSync } from 'node:child_process';
const far = Date.now() + 0;
test('now', () => assert.ok(new Date().getTime() - Number(process.env.FA_NOW) > ${days - 1} * 86400000));
test('child', () => {
  const there = Number(execFileSync(process.execPath, ['-p', 'Date.now()']).toString());
  assert.ok(Math.abs(there - far) < 60000);
});
test('is a date', () => { assert.ok(new Date(0) instanceof Date); assert.equal(new Date(5).constructor, Date); assert.equal(typeof Date(), 'string'); });
`;
    const result = await runSuiteCase({
      runner: 'node-test',
      files: { 'clock.test.mjs': HEAD + ahead(400) },
      request: { clockDays: 400 },
      environment: { ...EMPTY_ENVIRONMENT, path, env: { FA_NOW: String(Date.now()) } },
    });
    expect(Object.values(result.statuses)).toEqual(['pass', 'pass', 'pass']);
  });

  it('runs files in the order asked for', async () => {
    const files = {
      'a.test.mjs': "test('a', () => {});",
      'b.test.mjs': "test('b', () => {});",
      'c.test.mjs': "test('c', () => {});",
    };
    const order = async (asked: object) => (await runNode(files, { order: asked })).tests.map(({ key }) => key.path[0]);
    expect(await order({ kind: 'listed' })).toEqual(['a', 'b', 'c']);
    expect(await order({ kind: 'reversed' })).toEqual(['c', 'b', 'a']);
    const shuffled = await order({ kind: 'shuffled', seed: 'x' });
    expect(await order({ kind: 'shuffled', seed: 'x' })).toEqual(shuffled);
    expect([...shuffled].sort()).toEqual(['a', 'b', 'c']);
  });

  it('does not let a process that a test starts speak on its event channel', async () => {
    const result = await runNode({
      'fork.test.mjs': `
import { fork, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
test('forks', async () => {
  writeFileSync('worker.mjs', "import { test } from 'node:test'; test('inner', () => { throw new Error('x'); }); process.send('hello');");
  const child = fork('./worker.mjs', { silent: true });
  const said = await new Promise((resolve) => child.once('message', resolve));
  assert.equal(said, 'hello');
  await new Promise((resolve) => child.once('exit', resolve));
});
test('prints', () => { process.stdout.write('{"t":"test-end","path":["forged"],"ordinal":0,"status":"pass","raw":"","ms":0,"message":null}\\n'); });
`,
    });
    expect(result.statuses).toEqual({ 'fork.test.mjs::["forks"]': 'pass', 'fork.test.mjs::["prints"]': 'pass' });
  });

  it('notices that a test writes over the report, empties it, or ends the supervisor', async () => {
    const reach = (how: string) => `
import { writeFileSync } from 'node:fs';
test('tampers', () => { try { writeFileSync('/proc/' + process.ppid + '/fd/1', '{}\\n', { flag: '${how}' }); } catch {} assert.fail(); });`;
    expect((await runNode({ 'a.test.mjs': reach('a') })).failure).toBe('forged');
    expect((await runNode({ 'a.test.mjs': reach('w') })).failure).toBe('forged');
    const ended = await runNode({
      'a.test.mjs': "test('ends it', () => { process.kill(process.ppid, 'SIGKILL'); for (;;); });",
      'b.test.mjs': "test('b', () => {});",
    });
    expect(ended).toMatchObject({ failure: 'crash', states: { 'a.test.mjs': 'crashed', 'b.test.mjs': 'not-reached' } });
    expect(ended.suspicions[0]).toContain('ended from inside');
  });

  it('calls results forged that contradict each other or the exit code', async () => {
    const twice = await runNode({
      'twice.test.mjs': `
import { writeSync } from 'node:fs';
test('bad', () => { writeSync(3, '{"t":"test-end","path":["bad"],"ordinal":0,"status":"pass","raw":"bad","ms":0,"message":null}\\n'); assert.fail(); });`,
    });
    expect(twice.failure).toBe('forged');
    const code = await runNode({
      'code.test.mjs': "test('bad', () => assert.fail()); process.on('exit', () => { process.exitCode = 0; });",
    });
    expect(code).toMatchObject({ failure: 'forged', statuses: { 'code.test.mjs::["bad"]': 'fail' } });
    const unexplained = await runNode({ 'code.test.mjs': "test('good', () => { process.exitCode = 3; });" });
    expect(unexplained).toMatchObject({ failure: 'crash', exitCode: 3 });
  });
});
