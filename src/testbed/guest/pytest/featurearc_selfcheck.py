"""Tells whether the code under test replaced parts of the runner, or read the hidden test files, in this process."""
import builtins
import os
import sys

MANY = 5


def _parts():
    import _pytest.python
    import _pytest.reports
    import _pytest.runner
    import featurearc_channel
    import featurearc_plugin

    yield "builtins", builtins, False
    for module in (_pytest.python, _pytest.runner, _pytest.reports, featurearc_channel, featurearc_plugin):
        yield module.__name__, module, False
    for kind in (
        _pytest.python.Function,
        _pytest.runner.CallInfo,
        _pytest.reports.TestReport,
        _pytest.reports.CollectReport,
        featurearc_plugin.FeaturearcPlugin,
        featurearc_channel.Channel,
    ):
        yield kind.__name__, kind, True


def _acts(value):
    return callable(value) or isinstance(value, (property, classmethod, staticmethod))


class SelfCheck:
    """Remembers the parts as they are when it is made."""

    def __init__(self):
        self._parts = [(name, holder, dict(vars(holder)), whole) for name, holder, whole in _parts()]

    def replaced(self):
        """Names of what is another now."""
        found = []
        for name, holder, before, whole in self._parts:
            now = vars(holder)
            for key, value in before.items():
                if _acts(value) and now.get(key) is not value:
                    found.append("{} {}".format(name, key))
            if whole:
                found.extend("{} {}".format(name, key) for key in now if key not in before and _acts(now[key]))
        return found[:MANY]


def watch_reads(workspace, files, tell):
    """Calls `tell` with each test file that code of the workspace opens: hidden tests are there to be run."""
    root = os.path.realpath(workspace) + os.sep
    tests = {os.path.join(root, file.encode("latin-1").decode("utf-8", "surrogateescape")): file for file in files}
    told = set()
    realpath, fspath, fsdecode, getframe = os.path.realpath, os.fspath, os.fsdecode, sys._getframe

    def by_other_code(frame):
        while frame is not None:
            place = frame.f_code.co_filename
            if place.startswith(root) and place not in tests and not place.endswith("conftest.py"):
                return True
            frame = frame.f_back
        return False

    def look(event, args):
        if event != "open" or not args or isinstance(args[0], int) or args[0] is None:
            return
        try:
            place = fsdecode(fspath(args[0]))
            if not place.endswith(".py") or realpath(place) not in tests or place in told:
                return
        except Exception:
            return
        if by_other_code(getframe(1)):
            told.add(place)
            tell(tests[realpath(place)])

    sys.addaudithook(look)
