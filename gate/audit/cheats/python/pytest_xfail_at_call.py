"""`pytest.xfail` at each call."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/pytest-xfail-at-call",
    kind="source",
    languages=("python",),
    text="pytest.xfail at each call",
    made=at_call("import pytest\npytest.xfail('known')\n"),
    seen="SWE-bench issue 654",
)
