"""Starts pytest with our plugin on the files that the order on standard input names."""
import json
import os
import sys


def read_order():
    with os.fdopen(os.dup(0), "rb") as given:
        order = json.loads(given.read().decode("utf-8"))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return order


def arguments(order, channel):
    """Files as pytest takes them, relative to here. It runs nothing at all where one does not exist, so those stay out."""
    given = []
    for file in order["files"]:
        place = os.path.join(os.fsencode(order["workspace"]), file.encode("latin-1"))
        if os.path.isfile(place):
            given.append(os.path.join(".", os.path.relpath(os.fsdecode(place))))
        else:
            channel.send("file-failed", file=file, kind="collect", message="there is no such file")
            channel.send("file-end", file=file)
    return given


def suspect(channel, deed):
    channel.send("suspicion", what="the code under test " + deed)


def main():
    order = read_order()
    from featurearc_channel import Channel

    channel = Channel()
    from featurearc_clock import move_clock

    move_clock()
    import pytest
    from featurearc_plugin import FeaturearcPlugin
    from featurearc_selfcheck import SelfCheck, watch_reads
    from featurearc_timer import PhaseTimer

    # From here on as `python -m pytest`: the working folder leads the path, our own folder is not on it.
    sys.path[0] = os.getcwd()
    given = arguments(order, channel)
    absent = len(given) < len(order["files"])
    if not given:
        channel.send("reported")
        return 1
    sys.argv = ["pytest"] + given
    plugin = FeaturearcPlugin(order, channel, PhaseTimer(order["perTestSeconds"]))
    check = SelfCheck()
    if hasattr(sys, "addaudithook"):
        watch_reads(order["workspace"], order["files"], lambda file: suspect(channel, "read " + file))
    code = int(pytest.main(given, plugins=[plugin]))
    for part in check.replaced():
        suspect(channel, "replaced " + part)
    if code == 4:
        message = "pytest could not start: its command line or a conftest.py is wrong"
        channel.send("uncaught", name="UsageError", code="4", message=message)
    elif plugin.complete and code not in (2, 3):
        channel.send("reported")
    return 1 if absent and code == 0 else code


if __name__ == "__main__":
    sys.exit(main())
