import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { testId } from '#documents/test-identity.js';
import { plainEnvironment, runProcess } from '#process/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { runnerNamed } from '#testbed/index.js';
import { type CaseResult, EMPTY_ENVIRONMENT, runSuiteCase, withSuite } from '../support/run-suite.js';

const probe = await runProcess({
  argv: ['python3', '-c', 'import sys, pytest; print(sys.prefix)'],
  env: { ...plainEnvironment(), HOME: '/root' },
});
const found = probe.exitCode === 0 ? [probe.stdout.toString('utf8').trim()] : [];
/** Further Python installations with other versions of pytest or with plugins, separated by colons. */
const others = (process.env.FEATUREARC_PYTHON_PREFIXES ?? '').split(':').filter((folder) => folder !== '');

describe.skipIf(found.length === 0)('The pytest runner needs a python3 with pytest on the PATH', () => {
  it('finds one', () => {
    expect(found).toHaveLength(1);
  });
});

// Processes are started anew after each hang, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

describe.each([...found, ...others])('The pytest runner (Python of %s)', (prefix) => {
  const environment = { ...EMPTY_ENVIRONMENT, path: [`${prefix}/bin`] };

  function runPytest(files: Record<string, string>, request = {}): Promise<CaseResult> {
    return runSuiteCase({ runner: 'pytest', files, environment, request });
  }

  it('gives each kind of test its status and each name verbatim', async () => {
    const result = await runPytest({
      'tests/test_a.py': String.raw`
import pytest, unittest
def test_passes(): pass
def test_fails(): assert 1 == 2
@pytest.mark.skip(reason="why")
def test_skipped(): pass
@pytest.mark.xfail
def test_xfail(): assert False
@pytest.mark.xfail
def test_xpass(): pass
@pytest.mark.xfail(strict=True)
def test_xpass_strict(): pass
@pytest.fixture
def broken(): raise RuntimeError("setup")
def test_setup_error(broken): pass
@pytest.fixture
def leaky():
    yield
    raise RuntimeError("teardown")
def test_teardown_error(leaky): pass
@pytest.mark.parametrize("value", ["a b ", "x::y/z[1]", "é", "new\nline", "", object()])
def test_param(value): pass
class TestC:
    class TestInner:
        def test_x(self): pass
    def test_exit(self): raise SystemExit(0)
class TestU(unittest.TestCase):
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertNotEqual(i, 1)
    def test_ok(self): pass
`,
    });
    const file = 'tests/test_a.py';
    expect(result.statuses).toEqual({
      [`${file}::["test_passes"]`]: 'pass',
      [`${file}::["test_fails"]`]: 'fail',
      [`${file}::["test_skipped"]`]: 'skip',
      [`${file}::["test_xfail"]`]: 'xfail',
      [`${file}::["test_xpass"]`]: 'xpass',
      [`${file}::["test_xpass_strict"]`]: 'xpass',
      [`${file}::["test_setup_error"]`]: 'error',
      [`${file}::["test_teardown_error"]`]: 'error',
      [`${file}::["test_param[a b ]"]`]: 'pass',
      [`${file}::["test_param[x::y/z[1]]"]`]: 'pass',
      [`${file}::["test_param[\\\\xe9]"]`]: 'pass',
      [`${file}::["test_param[new\\\\nline]"]`]: 'pass',
      [`${file}::["test_param[]"]`]: 'pass',
      [`${file}::["test_param[value5]"]`]: 'pass',
      [`${file}::["TestC","TestInner","test_x"]`]: 'pass',
      [`${file}::["TestC","test_exit"]`]: 'fail',
      [`${file}::["TestU","test_ok"]`]: 'pass',
      [`${file}::["TestU","test_sub"]`]: 'fail',
    });
    expect(result).toMatchObject({ failure: null, exitCode: 1, states: { [file]: 'ran' } });
  });

  it('keeps collection errors per file', async () => {
    const result = await runPytest(
      {
        'test_syntax.py': 'def test_x(:\n',
        'test_import.py': 'import nowhere_at_all\ndef test_x(): pass\n',
        'test_raise.py': 'raise RuntimeError("at load")\n',
        'test_skip.py': 'import pytest\npytest.skip("not here", allow_module_level=True)\ndef test_x(): pass\n',
        'test_empty.py': '',
        'test_good.py': 'def test_good(): pass\n',
        'sub/test_good.py': 'def test_good(): pass\n',
      },
      {
        files: [
          'test_syntax.py',
          'test_import.py',
          'test_raise.py',
          'test_skip.py',
          'test_empty.py',
          'test_good.py',
          'sub/test_good.py',
          'test_absent.py',
        ],
      },
    );
    expect(result.states).toEqual({
      'test_syntax.py': 'compile-failed',
      'test_import.py': 'collect-failed',
      'test_raise.py': 'collect-failed',
      'test_skip.py': 'empty',
      'test_empty.py': 'empty',
      'test_good.py': 'ran',
      // Two files of one name outside packages: pytest's own "import file mismatch".
      'sub/test_good.py': 'collect-failed',
      'test_absent.py': 'collect-failed',
    });
    expect(result.statuses).toEqual({ 'test_good.py::["test_good"]': 'pass' });
    expect(result.failure).toBe('compile');
  });

  it('runs the other files where one does not exist, whatever its name', async () => {
    const name = Buffer.from('test_é x.py').toString('latin1');
    const result = await runPytest(
      { 'test_é x.py': 'def test_a(): pass\n' },
      { files: [name, Buffer.from([0x74, 0xff]).toString('latin1')] },
    );
    expect(result).toMatchObject({
      failure: 'collect',
      states: { [name]: 'ran', 't\xff': 'collect-failed' },
      statuses: { [`${name}::["test_a"]`]: 'pass' },
    });
  });

  it('loses only the file in which the process ends early', async () => {
    const result = await runPytest({
      'test_1good.py': 'def test_good(): pass\n',
      'test_2exit.py': 'import os\ndef test_first(): pass\ndef test_exits(): os._exit(0)\ndef test_later(): pass\n',
      'test_3load.py': 'import os\nos._exit(0)\n',
      'test_4kill.py': 'import os, signal\ndef test_kill(): os.kill(os.getpid(), signal.SIGSEGV)\n',
      'test_5pytest_exit.py': 'import pytest\ndef test_stop(): pytest.exit("enough", returncode=0)\n',
      'test_6interrupt.py': 'def test_stop(): raise KeyboardInterrupt\n',
      'test_7sysexit.py': 'import sys\nsys.exit(0)\n',
      'test_8good.py': 'def test_good(): pass\n',
    });
    // An exit while a file loads ends pytest 8 and later, and fails the file alone before.
    expect(['crashed', 'collect-failed']).toContain(result.states['test_7sysexit.py']);
    expect(result.states).toMatchObject({
      'test_1good.py': 'ran',
      'test_2exit.py': 'crashed',
      'test_3load.py': 'crashed',
      'test_4kill.py': 'crashed',
      'test_5pytest_exit.py': 'crashed',
      'test_6interrupt.py': 'crashed',
      'test_8good.py': 'ran',
    });
    expect(result.statuses).toMatchObject({
      'test_1good.py::["test_good"]': 'pass',
      'test_2exit.py::["test_first"]': 'pass',
      'test_2exit.py::["test_exits"]': 'crash',
      'test_2exit.py::["test_later"]': 'missing',
      'test_4kill.py::["test_kill"]': 'crash',
      'test_8good.py::["test_good"]': 'pass',
    });
    expect(result.failure).toBe('crash');
  });

  it('ends tests that take too long, in the process where it can', async () => {
    const result = await runPytest(
      {
        'test_1sleep.py':
          'import time\ndef test_sleeps(): time.sleep(60)\ndef test_loops():\n    while True: pass\ndef test_later(): pass\n',
        'test_2deaf.py':
          'import signal\ndef test_deaf():\n    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n    while True: pass\ndef test_later(): pass\n',
        'test_3load.py': 'while True: pass\n',
        'test_4good.py': 'def test_good(): pass\n',
      },
      { perTestTimeoutMs: 500, loadTimeoutMs: 20_000, timeoutMs: 200_000 },
    );
    expect(result.states).toEqual({
      'test_1sleep.py': 'ran',
      'test_2deaf.py': 'hung',
      'test_3load.py': 'hung',
      'test_4good.py': 'ran',
    });
    expect(result.statuses).toEqual({
      'test_1sleep.py::["test_sleeps"]': 'timeout',
      'test_1sleep.py::["test_loops"]': 'timeout',
      'test_1sleep.py::["test_later"]': 'pass',
      'test_2deaf.py::["test_deaf"]': 'timeout',
      'test_2deaf.py::["test_later"]': 'missing',
      'test_4good.py::["test_good"]': 'pass',
    });
    expect(result.failure).toBe('hang');
  });

  it('overrules configuration that stops early, and says when a conftest.py cannot be loaded', async () => {
    const stops = await runPytest(
      {
        'pytest.ini': '[pytest]\naddopts = -x --lf -q\n',
        'test_a.py': 'def test_one(): assert 0\ndef test_two(): pass\n',
      },
      { files: ['test_a.py'] },
    );
    expect(stops.statuses).toEqual({ 'test_a.py::["test_one"]': 'fail', 'test_a.py::["test_two"]': 'pass' });
    const broken = await runPytest(
      {
        'a/conftest.py': 'import nowhere_at_all\n',
        'a/test_a.py': 'def test_a(): pass\n',
        'b/test_b.py': 'def test_b(): pass\n',
      },
      { files: ['a/test_a.py', 'b/test_b.py'] },
    );
    expect(broken.states).toEqual({ 'a/test_a.py': 'collect-failed', 'b/test_b.py': 'ran' });
    expect(broken.failure).toBe('collect');
  });

  it('lists tests without running them', async () => {
    const files = {
      'test_a.py': 'def test_one(): raise SystemExit\nclass TestC:\n    def test_two(self): pass\n',
      'test_b.py': 'import nowhere_at_all\n',
    };
    const listed = await withSuite({ runner: 'pytest', files, environment }, (request) =>
      runnerNamed('pytest').list(request),
    );
    expect(listed?.keys.map(testId)).toEqual(['test_a.py::["test_one"]', 'test_a.py::["TestC","test_two"]']);
    expect(listed?.targets.map(({ state }) => state)).toEqual(['ran', 'collect-failed']);
  });

  it('runs files and tests in the order asked for, keeping classes together', async () => {
    const files = {
      'test_a.py':
        'def test_1(): pass\nclass TestC:\n    def test_2(self): pass\n    def test_3(self): pass\ndef test_4(): pass\n',
      'test_b.py': 'def test_5(): pass\n',
    };
    const read = (asked: object): Promise<string> =>
      withTemporaryFolder('order', async (folder) => {
        const note = `def pytest_runtest_setup(item): open("${folder}/ran.txt", "a").write(item.name[-1])\n`;
        await runPytest({ ...files, 'conftest.py': note }, { order: asked, files: Object.keys(files) });
        return readFile(join(folder, 'ran.txt'), 'utf8');
      });
    expect(await read({ kind: 'listed' })).toBe('12345');
    expect(await read({ kind: 'reversed' })).toBe('54321');
    const mixed = await read({ kind: 'shuffled', seed: 's' });
    expect(await read({ kind: 'shuffled', seed: 's' })).toBe(mixed);
    expect(mixed).toMatch(/23|32/);
    expect([...mixed].sort().join('')).toBe('12345');
  });

  it('moves the clock of the tests ahead', async () => {
    const result = await runPytest(
      {
        'test_clock.py': `
import copy, datetime, pickle, time
from datetime import date, datetime as dt, timedelta, timezone
AHEAD = ${Date.now() / 1000} + 399 * 86400
def test_time(): assert time.time() > AHEAD and time.time_ns() > AHEAD * 1e9 and time.localtime().tm_year == time.gmtime(time.time()).tm_year
def test_now(): assert dt.now().timestamp() > AHEAD and dt.now(timezone.utc).timestamp() > AHEAD and dt.utcnow().replace(tzinfo=timezone.utc).timestamp() > AHEAD
def test_today(): assert abs(date.today() - dt.now().date()) <= timedelta(days=1)
def test_kinds():
    now = dt.now()
    assert isinstance(now, dt) and isinstance(now, date) and isinstance(now + timedelta(1), dt) and isinstance(date.today(), date)
    assert not isinstance(date.today(), dt) and issubclass(dt, date)
    assert pickle.loads(pickle.dumps(now)) == now and copy.deepcopy(now) == now and repr(dt(2020, 1, 2)) == "datetime.datetime(2020, 1, 2, 0, 0)"
`,
      },
      { clockDays: 400 },
    );
    expect(result.statuses).toEqual({
      'test_clock.py::["test_time"]': 'pass',
      'test_clock.py::["test_now"]': 'pass',
      'test_clock.py::["test_today"]': 'pass',
      'test_clock.py::["test_kinds"]': 'pass',
    });
  });

  it('does not take forks or printed lines for the reporter, and calls contradictions forged', async () => {
    const line = String.raw`{\"t\":\"test-end\",\"path\":[\"test_bad\"],\"file\":\"test_a.py\",\"ordinal\":0,\"status\":\"pass\",\"raw\":\"\",\"ms\":0,\"message\":null}\n`;
    const fork = await runPytest({
      'test_a.py': `import os\ndef test_fork():\n    pid = os.fork()\n    if pid == 0: os._exit(0)\n    os.waitpid(pid, 0)\ndef test_print(): print("${line}")\ndef test_bad(): assert 0\n`,
    });
    expect(fork.statuses).toEqual({
      'test_a.py::["test_fork"]': 'pass',
      'test_a.py::["test_print"]': 'pass',
      'test_a.py::["test_bad"]': 'fail',
    });
    expect(fork.failure).toBeNull();
    const forged = await runPytest({
      'test_a.py': `import os\ndef test_bad():\n    for fd in range(3, 30):\n        try: os.write(fd, b"${line}")\n        except OSError: pass\n    assert 0\n`,
    });
    expect(forged.failure).toBe('forged');
  });

  const PLUGINS = ['xdist', 'pytest_cov', 'pytest_randomly', 'pytest_rerunfailures', 'pytest_timeout', 'flaky'];

  it('overrules plugins that repeat, spread, measure or reorder tests (each case needs its plugin installed)', async () => {
    const has = async (name: string): Promise<boolean> => {
      const argv = [`${prefix}/bin/python3`, '-c', `import ${name}`];
      return (await runProcess({ argv, env: plainEnvironment() })).exitCode === 0;
    };
    const options: Record<string, string> = {
      xdist: '-n 2 --dist loadfile',
      pytest_cov: '--cov=. --cov-fail-under=100',
      pytest_randomly: '-p randomly',
      pytest_rerunfailures: '--reruns 3',
      pytest_timeout: '--timeout 30',
      flaky: '--force-flaky',
    };
    for (const name of [...PLUGINS, 'pytest']) {
      if (!(await has(name))) continue;
      const result = await runPytest(
        {
          'pytest.ini': `[pytest]\naddopts = ${options[name] ?? '-q'}\n`,
          'test_a.py': `
import code_under_test
TRIES = []
def test_waver():
    TRIES.append(1)
    assert len(TRIES) > 1
def test_first(): assert len(TRIES) == 1
def test_second(): assert code_under_test.used() == 1
`,
          'code_under_test.py': 'def used(): return 1\ndef unused(): return 2\n',
        },
        { files: ['test_a.py'] },
      );
      expect({ name, ...result.statuses }).toEqual({
        name,
        'test_a.py::["test_waver"]': 'fail',
        'test_a.py::["test_first"]': 'pass',
        'test_a.py::["test_second"]': 'pass',
      });
      expect(result).toMatchObject({ failure: null, exitCode: 1 });
    }
  });
});
