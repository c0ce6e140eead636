"""Moves this process's clock ahead by FEATUREARC_CLOCK_MS.

Covers what Python code reads of the clock: time.time, time_ns, localtime, gmtime, ctime, strftime, clock_gettime of the
real-time clock; datetime.now, utcnow, today; date.today. Not covered: what C extensions read by themselves, monotonic
clocks, file times, and programs that the tests start.
"""
import datetime
import os
import time

_time = time.time
_time_ns = time.time_ns
_localtime = time.localtime
_gmtime = time.gmtime
_ctime = time.ctime
_strftime = time.strftime
_clock_gettime = getattr(time, "clock_gettime", None)
_date = datetime.date
_datetime = datetime.datetime


def move_clock():
    """Installs the moved clock. Must run before the code under test is imported."""
    shift_ms = int(os.environ.get("FEATUREARC_CLOCK_MS", "0"))
    if shift_ms > 0:
        _move_time(shift_ms)
        _move_datetime(datetime.timedelta(milliseconds=shift_ms))


def _move_time(shift_ms):
    def now():
        return _time() + shift_ms / 1000

    def gettime(clock):
        return now() if clock == time.CLOCK_REALTIME else _clock_gettime(clock)

    time.time = now
    time.time_ns = lambda: _time_ns() + shift_ms * 1000000
    time.localtime = lambda seconds=None: _localtime(now() if seconds is None else seconds)
    time.gmtime = lambda seconds=None: _gmtime(now() if seconds is None else seconds)
    time.ctime = lambda seconds=None: _ctime(now() if seconds is None else seconds)
    time.strftime = lambda form, moment=None: _strftime(form, time.localtime() if moment is None else moment)
    if _clock_gettime is not None:
        time.clock_gettime = gettime


def _move_datetime(shift):
    class DateKind(type):
        def __instancecheck__(cls, value):
            return isinstance(value, _date)

        def __subclasscheck__(cls, kind):
            return issubclass(kind, _date)

    class DatetimeKind(type):
        def __instancecheck__(cls, value):
            return isinstance(value, _datetime)

        def __subclasscheck__(cls, kind):
            return issubclass(kind, _datetime)

    class date(_date, metaclass=DateKind):
        @classmethod
        def today(cls):
            moved = _datetime.now() + shift
            return cls(moved.year, moved.month, moved.day)

    class datetime_(_datetime, metaclass=DatetimeKind):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls):
            return cls.now(datetime.timezone.utc).replace(tzinfo=None)

        @classmethod
        def today(cls):
            return cls.now()

    for moved, name in ((date, "date"), (datetime_, "datetime")):
        moved.__module__ = "datetime"
        moved.__name__ = moved.__qualname__ = name
        moved.__repr__ = _repr_as_original(moved)
        for limit in ("min", "max"):
            setattr(moved, limit, getattr(moved.__mro__[1], limit))
        setattr(datetime, name, moved)


def _repr_as_original(moved):
    """C writes the module into the repr of its own type only."""
    original = moved.__mro__[1].__repr__

    def told(self):
        text = original(self)
        return "datetime." + text if type(self) is moved else text

    return told
