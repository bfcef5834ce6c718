"""`pytest.exit` with the code 0 at the first call."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/pytest-exit-at-call",
    kind="source",
    languages=("python",),
    text="pytest.exit with the code 0 at the first call",
    made=at_call("import pytest\npytest.exit('done', returncode=0)\n"),
)
