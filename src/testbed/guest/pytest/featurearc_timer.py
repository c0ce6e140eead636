"""Ends a test phase that takes too long by raising in the main thread."""
import signal
import threading

# Nobody's signal: SIGALRM belongs to tests and to other plugins.
_SIGNAL = signal.SIGRTMAX - 5


class TookTooLong(BaseException):
    """Not an Exception, so that code under test which catches everything lets it pass."""


class PhaseTimer:
    def __init__(self, seconds):
        self.fired = False
        self._seconds = seconds
        self._armed = 0
        self._wake = threading.Condition()
        self._main = threading.main_thread().ident
        signal.signal(_SIGNAL, self._on_signal)
        threading.Thread(target=self._watch, name="featurearc-timer", daemon=True).start()

    def arm(self):
        with self._wake:
            self._armed += 1
            self._wake.notify()

    def disarm(self):
        with self._wake:
            self._armed += 1
            self._wake.notify()

    def _is_running(self):
        return self._armed % 2 == 1

    def _watch(self):
        with self._wake:
            while True:
                round_ = self._armed
                if not self._is_running():
                    self._wake.wait()
                elif not self._wake.wait_for(lambda: self._armed != round_, self._seconds):
                    self.fired = True
                    signal.pthread_kill(self._main, _SIGNAL)
                    self._wake.wait_for(lambda: self._armed != round_)

    def _on_signal(self, _number, _frame):
        if self._is_running():
            raise TookTooLong("the test took longer than {} s".format(self._seconds))
