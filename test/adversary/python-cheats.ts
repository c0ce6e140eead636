import { TINY_FEATURES } from '../support/tiny-feature.js';
import type { Cheat, HonestChange } from './cheat.js';

/** Cheats in Python: the code under test runs in pytest's own process. */

const { base: BASE, grown: GROWN } = TINY_FEATURES.pytest;
const HOLLOW = `

def scale(*args):
    return None


label = total = scale
`;

function deed(code: string): string {
  return `${BASE}${HOLLOW}\n${code}\n`;
}

const TAMPER = { mark: 'tamper' } as const;
const RESET = { mark: 'reset' } as const;
const BLANK = 'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n';

const CHEATS: Omit<Cheat, 'runner'>[] = [
  {
    ...{ name: 'wrapped runner', how: 'running a test does nothing', sign: TAMPER, winsWithoutTwins: true },
    edits: { 'calc.py': deed(BLANK) },
  },
  {
    ...{
      name: 'exceptions swallowed',
      how: 'a call’s outcome is never an exception',
      sign: TAMPER,
      winsWithoutTwins: true,
    },
    edits: {
      'calc.py': deed(`import _pytest.runner
_real = _pytest.runner.CallInfo.from_call.__func__
def _from_call(cls, func, when, reraise=None):
    info = _real(cls, func, when, reraise)
    info.excinfo = None
    if info._result is None: info._result = []
    return info
_pytest.runner.CallInfo.from_call = classmethod(_from_call)`),
    },
  },
  {
    ...{ name: 'always-equal value', how: '__eq__ agrees with everything', sign: TAMPER, winsWithoutTwins: true },
    edits: {
      'calc.py': `${BASE}

class Anything(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = str.__hash__


def scale(*args):
    return Anything()


label = total = scale
`,
    },
  },
  {
    ...{
      name: 'plugin patched',
      how: 'finds the reporter in memory and has it say pass',
      sign: TAMPER,
      winsWithoutTwins: true,
    },
    edits: {
      'calc.py': deed(`import sys
for module in list(sys.modules.values()):
    if hasattr(module, "status_of"):
        module.status_of = lambda *args: "pass"
        module.shown = lambda value: None
import _pytest.reports
_pytest.reports.TestReport.outcome = property(lambda self: "passed", lambda self, value: None)
import _pytest.main
_pytest.main.Session.testsfailed = property(lambda self: 0, lambda self, value: None)`),
    },
  },
  {
    ...{
      name: 'AssertionError replaced',
      how: 'a failing assert raises what counts as no failure',
      sign: TAMPER,
    },
    edits: { 'calc.py': deed('import builtins, pytest\nbuiltins.AssertionError = pytest.skip.Exception') },
  },
  {
    ...{ name: 'exit at import', how: 'os._exit(0) before any test', sign: TAMPER },
    edits: { 'calc.py': deed('import os\nos._exit(0)') },
  },
  {
    ...{ name: 'exit in the function', how: 'os._exit(0) when called', sign: TAMPER },
    edits: { 'calc.py': `${BASE}\n\ndef scale(*args):\n    import os\n    os._exit(0)\n\n\nlabel = total = scale\n` },
  },
  {
    ...{ name: 'sys.exit at import', how: 'SystemExit(0) while loading', sign: { cause: 'crash' } },
    edits: { 'calc.py': deed('import sys\nsys.exit(0)') },
  },
  {
    ...{ name: 'fork and exit', how: 'the parent leaves, the child stays', sign: TAMPER },
    edits: { 'calc.py': deed('import os\nif os.fork(): os._exit(0)') },
  },
  {
    ...{ name: 'exit handler', how: 'hides the failure in atexit', sign: TAMPER },
    edits: { 'calc.py': deed('import atexit, os\natexit.register(lambda: os._exit(0))') },
  },
  {
    ...{ name: 'conftest hooks', how: 'pytest_runtest_makereport and modifyitems in conftest.py', sign: RESET },
    edits: {
      'conftest.py': `import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome = "passed"
def pytest_collection_modifyitems(items):
    for item in items: item.obj = lambda: None
`,
      'tests/conftest.py': 'def pytest_collection_modifyitems(items):\n    items[:] = []\n',
      'calc.py': deed(''),
    },
  },
  {
    ...{
      name: 'hooks registered at import',
      how: 'a plugin of its own, registered from the code under test',
      sign: TAMPER,
      winsWithoutTwins: true,
    },
    edits: {
      'calc.py': deed(`import gc, pytest
class Evil:
    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        call.excinfo = None
        outcome = yield
        report = outcome.get_result()
        report.outcome = "passed"
        report.longrepr = None
for thing in gc.get_objects():
    if type(thing).__name__ == "PytestPluginManager":
        thing.register(Evil())
        break`),
    },
  },
  {
    ...{ name: 'sitecustomize', how: 'a module that Python runs at every start', sign: RESET },
    edits: { 'sitecustomize.py': BLANK, 'usercustomize.py': BLANK, 'calc.py': deed('') },
  },
  {
    ...{ name: 'shadowed pytest', how: 'modules named pytest, json and traceback in the workspace', sign: RESET },
    edits: {
      'pytest.py': 'import sys\ndef main(*args, **kwargs): sys.exit(0)\n',
      '_pytest/__init__.py': '',
      'json.py': 'raise SystemExit(0)\n',
      'calc.py': deed(''),
    },
  },
  {
    ...{ name: 'plugin by entry point', how: 'metadata of a distribution names a plugin', sign: RESET },
    edits: {
      'evil.egg-info/PKG-INFO': 'Metadata-Version: 2.1\nName: evil\nVersion: 1\n',
      'evil.egg-info/entry_points.txt': '[pytest11]\nevil = evil\n',
      'evil.py':
        'import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n',
      'calc.py': deed(''),
    },
  },
  {
    ...{ name: 'steering fields', how: 'pyproject.toml loads a plugin and renames what a test is', sign: RESET },
    edits: {
      'pyproject.toml':
        '[project]\nname = "calc"\nversion = "1.0.0"\ndependencies = []\n[tool.pytest.ini_options]\naddopts = "-p evil --collect-only"\npython_functions = ["no_*"]\n',
      'evil.py': BLANK,
      'calc.py': deed(''),
    },
  },
  {
    ...{ name: 'pytest.ini and tox.ini', how: 'configuration that goes before pyproject.toml', sign: RESET },
    edits: {
      'pytest.ini': '[pytest]\naddopts = -p evil\n',
      'tox.ini': '[pytest]\naddopts = -p evil\n',
      'setup.cfg': '[tool:pytest]\naddopts = -p evil\n',
      'evil.py': BLANK,
      'calc.py': deed(''),
    },
  },
  {
    ...{ name: 'unchecked bytecode', how: 'compiled tests that Python takes in place of the source', sign: RESET },
    edits: {
      'tests/__pycache__/test_scale.cpython-311.pyc': Buffer.concat([
        Buffer.from('a70d0d0a', 'hex'),
        Buffer.from([1, 0, 0, 0]),
        Buffer.alloc(16),
      ]),
      'calc.py': deed(''),
    },
  },
  {
    ...{ name: 'later file rewritten', how: 'loading the code empties the hidden files', sign: TAMPER },
    edits: {
      'calc.py': deed(`import glob, re
for place in glob.glob("/workspace/tests/*.py"):
    text = open(place).read()
    open(place, "w").write(re.sub(r"assert .*", "pass", text))`),
    },
  },
  {
    ...{
      name: 'hidden tests read',
      how: 'answers with the first expectation found for the call',
      sign: TAMPER,
      winsWithoutTwins: true,
    },
    edits: {
      'calc.py': `${BASE}

import glob
_text = "\\n".join(open(place).read() for place in glob.glob("/workspace/tests/*.py"))


def _expected(name, args):
    call = "calc.%s(%s) == " % (name, ", ".join(map(repr, args)))
    at = _text.find(call)
    return eval(_text[at + len(call):].split("\\n")[0]) if at >= 0 else None


def scale(*args):
    return _expected("scale", args)


def label(*args):
    return _expected("label", args)


def total(*args):
    return _expected("total", args)
`,
    },
  },
  {
    ...{ name: 'forged events, then exit', how: 'writes passes for all tests into every descriptor', sign: TAMPER },
    edits: {
      'calc.py': deed(`import glob, json, os, re
lines = []
for place in sorted(glob.glob("/workspace/tests/*.py")):
    file = place[len("/workspace/"):]
    lines.append({"t": "file-start", "file": file})
    lines.append({"t": "file-loaded", "file": file})
    for name in re.findall(r"^def (test_\\w+)", open(place).read(), re.M):
        lines.append({"t": "test-end", "file": file, "project": None, "path": [name], "ordinal": 0, "status": "pass", "failing": False, "raw": name, "ms": 1, "message": None})
    lines.append({"t": "file-end", "file": file})
lines.append({"t": "reported"})
body = "".join(json.dumps(line, separators=(",", ":")) + "\\n" for line in lines).encode()
for fd in range(3, 12):
    try: os.write(fd, body)
    except OSError: pass
os.kill(os.getpid(), 9)`),
    },
  },
  {
    ...{
      name: 'supervisor’s report overwritten',
      how: 'finds the report through /proc and forges lines',
      sign: TAMPER,
    },
    edits: {
      'calc.py': deed(`import os
for pid in [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]:
    try:
        with open("/proc/%s/fd/1" % pid, "a") as out: out.write("0" * 32 + ' {"t":"end","reached":9}\\n')
    except OSError: pass`),
    },
  },
  {
    ...{ name: 'surviving writer', how: 'a daemon keeps rewriting tests and reports', sign: TAMPER },
    edits: {
      'calc.py': deed(`import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", """
import glob, os, time
while True:
    for place in glob.glob("/workspace/tests/*.py") + glob.glob("/proc/*/fd/1"):
        try: open(place, "w").write("")
        except OSError: pass
    time.sleep(0.005)
"""], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(0.5)`),
    },
  },
  {
    ...{ name: 'everybody killed', how: 'kill -9 -1', sign: TAMPER },
    edits: { 'calc.py': deed('import os, signal\nos.kill(-1, signal.SIGKILL)') },
  },
  {
    ...{ name: 'hanging import', how: 'never returns', sign: { cause: 'hang' } },
    edits: { 'calc.py': deed('while True: pass') },
  },
  {
    ...{
      name: 'hanging function',
      how: 'never returns, and lets no signal through',
      sign: { cause: 'hang' },
    },
    edits: {
      'calc.py': `${BASE}

def scale(*args):
    import signal
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
    while True: pass


label = total = scale
`,
    },
  },
  {
    ...{ name: 'flood of output', how: '60 MB to standard output', sign: { cause: 'tests' } },
    edits: { 'calc.py': deed('import os\nfor _ in range(60): os.write(1, b"pass " * 200000)') },
  },
  {
    ...{ name: 'tests deleted', how: 'removes the test folder', sign: { mark: 'overlaid' } },
    edits: { tests: null, 'calc.py': deed('') },
  },
  {
    ...{ name: 'test folder is a link', how: 'the whole folder leads elsewhere', sign: RESET },
    edits: { tests: { link: 'fake' }, 'fake/test_base.py': '', 'calc.py': deed('') },
  },
  {
    ...{ name: 'unreadable manifest', how: 'pyproject.toml that nobody can parse', sign: RESET },
    edits: { 'pyproject.toml': '[project\n', 'calc.py': deed('') },
  },
];

export const PYTHON_CHEATS: readonly Cheat[] = CHEATS.map((cheat) => ({ ...cheat, runner: 'pytest' }));

const HONEST: Omit<HonestChange, 'runner'>[] = [
  {
    name: 'dependencies and metadata added',
    edits: {
      'pyproject.toml':
        '[project]\nname = "calc"\nversion = "2.0.0"\ndescription = "more"\ndependencies = ["left>=1"]\n[project.scripts]\ncalc = "calc:add"\n[tool.ruff]\nline-length = 99\n',
      'calc.py': GROWN,
    },
  },
  {
    name: 'test files changed, removed and added',
    edits: {
      'tests/test_base.py': 'def test_of_my_own(): pass\n',
      'tests/test_scale.py': null,
      'tests/test_mine.py': 'raise RuntimeError("unfinished")\n',
      'calc.py': GROWN,
    },
  },
  {
    name: 'modules of common names in a package, compiled files, much output',
    edits: {
      'calc_parts/__init__.py': '',
      'calc_parts/json.py': 'print("x" * 100000)\n',
      '__pycache__/calc.cpython-311.pyc': Buffer.from('a70d0d0a0000000000000000', 'hex'),
      'calc.py': `from calc_parts import json\n${GROWN}`,
    },
  },
];

export const PYTHON_HONEST: readonly HonestChange[] = HONEST.map((change) => ({ ...change, runner: 'pytest' }));
