"""A pytest session over rewritten tests: started by the parent with a plan on standard input, reports on the channel.

The order matters. The channel is opened, we announce ourselves, pytest is loaded whole, and only then is the tree with
the code under test put on the import path; nothing of the patch can come before or instead of what we have loaded.
"""

from __future__ import annotations

import json
import os
import sys
import types
from hashlib import sha256
from typing import Any

from .guard import open_tree
from .observe import Observer
from .wire import Channel

LONGEST = 1000


class Reporter:
    """The plugin: which test runs now, how each phase ended, what could not be collected."""

    def __init__(self, channel: Channel) -> None:
        self._send = channel.send

    def pytest_runtest_logstart(self) -> None:
        """Nothing: a hook without effect keeps the terminal's own away."""

    def pytest_runtest_protocol(self, item: Any) -> None:
        """A test begins."""
        name = getattr(item, "originalname", None) or item.name
        owner = "::".join(part.name for part in item.listchain() if type(part).__name__ in ("Class", "UnitTestCase"))
        self._send("start", owner, _short(name), _short(item.name[len(name) :]))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A phase of a test ended; an expected failure is not called passed."""
        outcome = "xfail" if hasattr(report, "wasxfail") else report.outcome
        if type(report).__name__ == "SubtestReport" and outcome == "passed":
            return  # a part of a test that is still running
        text = "" if outcome == "passed" else _last_line(report.longrepr)
        self._send("phase", report.when, outcome, text)

    def pytest_collectreport(self, report: Any) -> None:
        """A file that could not be collected."""
        if report.outcome != "passed":
            self._send("collect", os.path.basename(report.nodeid), report.outcome, _last_line(report.longrepr))  # noqa: PTH119


def _short(name: str) -> str:
    """The name or the row of a test as it is reported: whole values are written into it, and one may be megabytes."""
    if len(name) <= LONGEST:
        return name
    return f"{name[:LONGEST]}…{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}{name[-1]}"


def _last_line(longrepr: object) -> str:
    """The line of a report that says what happened."""
    if isinstance(longrepr, tuple):
        return str(longrepr[-1])[:500]  # a skip: its file and line are those of the rewritten test
    crash = getattr(longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message).split("\n", 1)[0][:500]
    lines = [line for line in str(longrepr).splitlines() if line.startswith("E ")] or str(longrepr).splitlines()
    return lines[-1].removeprefix("E").strip()[:500] if lines else ""


def main() -> None:
    """Run the session. The plan: nonce, observer, roots, shadows, packages, arguments."""
    plan = json.loads(sys.stdin.buffer.read())
    channel = Channel()
    channel.send("hello", plan["nonce"])
    import unittest  # noqa: F401 - so that nothing can come in its place

    import pytest

    observer = Observer(channel)
    module = types.ModuleType(plan["observer"])
    for name in ("see", "each", "compare", "truth", "reached", "raising"):
        setattr(module, name, getattr(observer, name))
    sys.modules[plan["observer"]] = module
    taken = open_tree(plan["roots"], plan["shadows"], plan["packages"])
    if taken:
        channel.send("taken", taken)
        os._exit(0)
    channel.send("ready", plan["nonce"])
    code = int(pytest.main(plan["arguments"], plugins=[Reporter(channel)]))
    channel.send("end", plan["nonce"], code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
