"""Ends a test phase that takes too long by raising in the main thread."""
import signal
import threading
import time

# Nobody's signal: SIGALRM belongs to tests and to other plugins.
_SIGNAL = signal.SIGRTMAX - 5
_MAX_TICK_SECONDS = 0.25

# Captured before any code under test, or a moved clock, can change them.
_monotonic = time.monotonic
_sleep = time.sleep


class TookTooLong(BaseException):
    """Not an Exception, so that code under test which catches everything lets it pass."""


class PhaseTimer:
    """A thread looks every so often whether the phase that runs is over its time; starting a phase costs nothing."""

    def __init__(self, seconds):
        self.fired = False
        self._seconds = seconds
        self._tick = min(_MAX_TICK_SECONDS, seconds / 4)
        self._deadline = None
        self._main = threading.main_thread().ident
        signal.signal(_SIGNAL, self._on_signal)
        threading.Thread(target=self._watch, name="featurearc-timer", daemon=True).start()

    def arm(self):
        self._deadline = _monotonic() + self._seconds

    def disarm(self):
        self._deadline = None

    def _watch(self):
        while True:
            _sleep(self._tick)
            deadline = self._deadline
            if deadline is not None and _monotonic() > deadline:
                signal.pthread_kill(self._main, _SIGNAL)

    def _on_signal(self, _number, _frame):
        # The phase may have ended since: the signal is then nobody's.
        if self._deadline is not None and _monotonic() > self._deadline:
            self.disarm()
            self.fired = True
            raise TookTooLong("the test took longer than {} s".format(self._seconds))
