"""`pytest.skip` at each call."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/pytest-skip-at-call",
    kind="source",
    languages=("python",),
    text="pytest.skip at each call",
    made=at_call("import pytest\npytest.skip('later')\n"),
    seen="OpenAI on monitoring reasoning models, 2025",
)
