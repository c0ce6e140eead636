"""Runs processes with tests in them, one after the other, and reports what they say and how they end.

Stands between the grader and the code under test: what a test process does to itself cannot stop or write this report.
A line is `<seal> <json>`; the seal is an HMAC over the line's number and text, keyed with a secret that only the grader
and this process know. Works on Python 3.6 and later, with the standard library alone.
"""
import base64
import hashlib
import hmac
import json
import os
import platform
import selectors
import signal
import subprocess
import sys
import time

MAX_LINE_BYTES = 1024 * 1024
# A process that the tests left behind may hold a pipe open after the end; so long is waited for its last words.
DRAIN_SECONDS = 0.3
POLL_SECONDS = 0.05


def read_order():
    """Reads the order from standard input, empties the file behind it and lets go of it: it holds the secret."""
    with os.fdopen(os.dup(0), "rb") as given:
        order = json.loads(given.read().decode("utf-8"))
    try:
        os.close(os.open("/proc/self/fd/0", os.O_WRONLY | os.O_TRUNC))
    except OSError:
        pass  # A pipe has nothing left to empty, and a read-only file is not ours.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return order


class Report:
    def __init__(self, secret):
        self._secret = secret.encode("utf-8")
        self._number = 0

    def write(self, fact):
        text = json.dumps(fact, separators=(",", ":"))
        signed = "{} {}".format(self._number, text).encode("ascii")
        seal = hmac.new(self._secret, signed, hashlib.sha256).hexdigest()[:32]
        self._number += 1
        rest = "{} {}\n".format(seal, text).encode("ascii")
        while rest:
            rest = rest[os.write(1, rest) :]


class Lines:
    """Cuts a stream into lines; one that is too long counts as garbage. The last line counts only when it is whole."""

    def __init__(self):
        self._held = b""
        self._too_long = False

    def feed(self, chunk):
        parts = (self._held + chunk).split(b"\n")
        self._held = parts.pop()
        for part in parts:
            yield None if self._too_long else part
            self._too_long = False
        if len(self._held) > MAX_LINE_BYTES:
            self._held = b""
            self._too_long = True


def parse_event(line):
    if line is None or len(line) > MAX_LINE_BYTES:
        return None
    try:
        event = json.loads(line.decode("utf-8"))
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("t"), str) else None


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Watched:
    """One process with tests in it: its events, the tail of its output, its end, and the watch that ends it."""

    def __init__(self, child, order, deadline, on_event):
        self._order = order
        self._deadline = deadline
        self._on_event = on_event
        self._lines = Lines()
        self._tail = b""
        self._in_test = False
        self._heard = time.monotonic()
        self.killed = None
        self.garbage = 0
        self._events, inner = os.pipe()
        env = dict(os.environ, **child["env"])
        env["FEATUREARC_EVENTS"] = "{}:{}".format(os.getpid(), inner)
        if order["clockMs"] > 0:
            env["FEATUREARC_CLOCK_MS"] = str(order["clockMs"])
        self._process = subprocess.Popen(
            [sys.executable] + child["args"],
            stdin=subprocess.PIPE if child["input"] is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            pass_fds=(inner,),
            start_new_session=True,
        )
        os.close(inner)
        if child["input"] is not None:
            try:
                self._process.stdin.write(child["input"].encode("utf-8"))
                self._process.stdin.close()
            except BrokenPipeError:
                pass

    def run(self):
        selector = selectors.DefaultSelector()
        selector.register(self._events, selectors.EVENT_READ, self._take_events)
        selector.register(self._process.stdout.fileno(), selectors.EVENT_READ, self._take_output)
        drained_at = None
        while selector.get_map():
            for key, _ in selector.select(POLL_SECONDS):
                chunk = os.read(key.fd, 65536)
                if chunk:
                    key.data(chunk)
                else:
                    selector.unregister(key.fd)
            if self._process.poll() is None:
                self._check_time()
            elif drained_at is None:
                drained_at = time.monotonic() + DRAIN_SECONDS
            elif time.monotonic() > drained_at:
                break
        while self._process.poll() is None:
            self._check_time()
            time.sleep(POLL_SECONDS)
        kill_group(self._process.pid)
        os.close(self._events)
        self._process.stdout.close()
        return self._facts()

    def _facts(self):
        code = self._process.returncode
        return {
            "exitCode": code if code >= 0 else None,
            "signal": signal.Signals(-code).name if code < 0 and -code in set(signal.Signals) else None,
            "killed": self.killed,
            "garbage": self.garbage,
            "output": base64.b64encode(self._tail[-self._order["tailBytes"] :]).decode("ascii"),
        }

    def _check_time(self):
        if self.killed is not None:
            return
        now = time.monotonic()
        silence = self._order["testSilenceMs" if self._in_test else "loadSilenceMs"] / 1000
        if now > self._deadline:
            self.killed = "deadline"
        elif now - self._heard > silence:
            self.killed = "test" if self._in_test else "load"
        if self.killed is not None:
            kill_group(self._process.pid)

    def _take_events(self, chunk):
        for line in self._lines.feed(chunk):
            event = parse_event(line)
            if event is None:
                self.garbage += 1
                continue
            self._heard = time.monotonic()
            if event["t"] == "test-start":
                self._in_test = True
            elif event["t"] == "test-end":
                self._in_test = False
            self._on_event(event)

    def _take_output(self, chunk):
        self._tail = (self._tail + chunk)[-2 * self._order["tailBytes"] :]


def main():
    order = read_order()
    report = Report(order.pop("secret"))
    report.write({"t": "header", "version": 1, "tool": "python {}".format(platform.python_version())})
    deadline = time.monotonic() + order["deadlineMs"] / 1000
    reached = 0
    for child in order["children"]:
        if time.monotonic() > deadline:
            break
        number = reached
        reached += 1
        report.write({"t": "process-start", "process": number})

        def forward(event, number=number):
            report.write({"t": "event", "process": number, "event": event})

        facts = Watched(child, order, deadline, forward).run()
        report.write(dict(facts, t="process-end", process=number))
    report.write({"t": "end", "reached": reached})


main()
