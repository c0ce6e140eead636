"""The pytest plugin that tells the supervisor what happens to every file and test."""
import collections
import os
import random
import tempfile

import pytest
from _pytest.runner import runtestprotocol

MESSAGE_CHARACTERS = 4000
SUBTEST_REPORTS = ("SubTestReport", "SubtestReport")
# Marks by which a project declares that the order of its tests matters.
ORDER_MARKS = ("order", "run", "dependency", "incremental", "first", "last")
# Options that repeat, spread, stop early, measure or reorder: a grading does each test once, here, in our order.
TAMED = {
    "maxfail": 0,
    "numprocesses": 0,
    "dist": "no",
    "tx": [],
    "usepdb": False,
    "trace": False,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "stepwise": False,
    "reruns": 0,
    "force_flaky": False,
    "forked": False,
    "no_cov": True,
    "setuponly": False,
    "setupplan": False,
    "collectonly": False,
    "continue_on_collection_errors": True,
    "randomly_reorganize": False,
    "randomly_seed": 0,
    "random_order_bucket": None,
}


def shown(value):
    try:
        return str(value)[:MESSAGE_CHARACTERS]
    except Exception:
        return "a failure that cannot be shown"


class Who:
    """Names of files and tests, verbatim."""

    def __init__(self, workspace):
        self._roots = [os.fsencode(workspace), os.path.realpath(os.fsencode(workspace))]
        self._ordinals = collections.Counter()
        self._known = {}

    def file_of(self, node):
        place = os.fsencode(str(getattr(node, "path", None) or node.fspath))
        for root in self._roots:
            if place.startswith(root + b"/"):
                return place[len(root) + 1 :].decode("latin-1")
        return place.decode("latin-1")

    def of(self, item):
        known = self._known.get(item)
        if known is None:
            names = []
            for node in item.listchain():
                # Everything up to the file is the file; older versions have a node `()` for a class's instance.
                names = [] if isinstance(node, pytest.File) else names + [node.name]
            path = [name for name in names if name != "()"] or [item.name]
            known = {"file": self.file_of(item), "path": path}
            identity = (known["file"], tuple(path))
            ordinal = self._ordinals[identity]
            self._ordinals[identity] += 1
            known = self._known[item] = (known, ordinal)
        return known


def is_syntax_error(error):
    while error is not None:
        if isinstance(error, SyntaxError):
            return True
        error = error.__cause__ or error.__context__
    return False


def status_of(phases, subtest_failed):
    """One status for a test from the reports of its phases, worst first."""
    setup, call, teardown = (phases.get(when) for when in ("setup", "call", "teardown"))
    deciding = call if call is not None else setup
    expected = hasattr(deciding, "wasxfail")
    if deciding.outcome == "skipped":
        status = "xfail" if expected else "skip"
    elif deciding.outcome == "failed":
        strict = isinstance(deciding.longrepr, str) and deciding.longrepr.startswith("[XPASS(strict)]")
        status = "xpass" if strict else "fail" if call is not None else "error"
    else:
        status = "xpass" if expected else "fail" if subtest_failed else "pass"
    if teardown is not None and teardown.outcome == "failed" and status != "fail":
        status = "error"
    return status


class FeaturearcPlugin:
    def __init__(self, order, channel, timer):
        self._order = order
        self._send = channel.send
        self._timer = timer
        self._who = Who(order["workspace"])
        self._left = collections.Counter()
        self._reports = []
        # Every test has had its turn: nothing stopped the session before its end, whatever its exit code says.
        self.complete = False

    # Settings -------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        # Coverage starts here already, before the options are final.
        if hasattr(early_config.known_args_namespace, "cov_source"):
            early_config.known_args_namespace.cov_source = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_cmdline_parse(self):
        outcome = yield
        config = outcome.get_result()
        if config is None:
            return
        for name, value in TAMED.items():
            if hasattr(config.option, name):
                setattr(config.option, name, value)
        if self._order["mode"] == "list":
            config.option.collectonly = True
        if hasattr(config, "_inicache"):
            config._inicache["cache_dir"] = os.path.join(tempfile.gettempdir(), "pytest-cache")

    # Collection -----------------------------------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector):
        whole = isinstance(collector, pytest.File)
        file = self._who.file_of(collector) if hasattr(collector, "fspath") else None
        if whole:
            self._send("file-start", file=file)
        outcome = yield
        report = outcome.get_result()
        if file is None:
            return
        if report.outcome == "failed":
            call = getattr(report, "call", None)
            error = call.excinfo.value if call is not None and call.excinfo is not None else None
            kind = "compile" if is_syntax_error(error) else "collect"
            self._send("file-failed", file=file, kind=kind, message=shown(report.longrepr))
        elif whole:
            if report.outcome == "skipped":
                self._send("note", file=file, message="skipped as a whole: " + shown(report.longrepr))
            self._send("file-loaded", file=file)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items):
        yield
        for item in items:
            who, ordinal = self._who.of(item)
            self._left[who["file"]] += 1
            self._send("known", ordinal=ordinal, raw=item.nodeid, **who)
        self._reorder(items)
        for file in self._order["files"]:
            if self._left[file] == 0:
                self._send("file-end", file=file)

    def _reorder(self, items):
        kind = self._order["order"]["kind"]
        if kind == "listed":
            return
        groups = collections.OrderedDict()
        for item in items:
            groups.setdefault(self._who.of(item)[0]["file"], []).append(item)
        chance = random.Random(str(self._order["order"].get("seed")))
        items[:] = [item for group in groups.values() for item in reordered(group, kind, chance)]

    # Running --------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtestloop(self):
        outcome = yield
        self.complete = outcome.excinfo is None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        """pytest's own protocol, in front of every plugin that would repeat tests or run them elsewhere."""
        who, ordinal = self._who.of(item)
        self._reports = []
        self._timer.fired = False
        self._send("test-start", **who)
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        runtestprotocol(item, nextitem=nextitem)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        self._tell(item, who, ordinal)
        self._left[who["file"]] -= 1
        if self._left[who["file"]] == 0:
            self._send("file-end", file=who["file"])
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        self._reports.append(report)

    def _tell(self, item, who, ordinal):
        own = [report for report in self._reports if type(report).__name__ not in SUBTEST_REPORTS]
        parts = [report for report in self._reports if type(report).__name__ in SUBTEST_REPORTS]
        phases = {report.when: report for report in own}
        if "setup" not in phases:
            return
        status = status_of(phases, any(report.outcome == "failed" for report in parts))
        failing = any(report.outcome == "failed" for report in self._reports)
        if self._timer.fired:
            status = "timeout"
        broken = [report for report in self._reports if report.outcome != "passed"]
        message = None if status == "pass" or not broken else shown(broken[0].longrepr)
        seconds = sum(getattr(report, "duration", 0) for report in own)
        self._send(
            "test-end",
            ordinal=ordinal,
            status=status,
            failing=failing,
            raw=item.nodeid,
            ms=seconds * 1000,
            message=message,
            **who
        )

    def _timed(self):
        self._timer.arm()
        yield
        self._timer.disarm()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self):
        yield from self._timed()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self):
        yield from self._timed()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self):
        yield from self._timed()

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excrepr):
        self._send("trouble", message="pytest's own error: " + shown(excrepr))


def reordered(items, kind, chance):
    """The tests of one file in another order; a class keeps its tests together."""
    if any(item.get_closest_marker(name) is not None for item in items for name in ORDER_MARKS):
        return items
    if kind == "reversed":
        return list(reversed(items))
    groups = collections.OrderedDict()
    for item in items:
        groups.setdefault(getattr(item, "cls", None) or item, []).append(item)
    mixed = list(groups.values())
    chance.shuffle(mixed)
    for group in mixed:
        chance.shuffle(group)
    return [item for group in mixed for item in group]
