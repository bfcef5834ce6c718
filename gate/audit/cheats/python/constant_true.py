"""Every function returns True."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/constant-true",
    kind="source",
    languages=("python",),
    text="Every function returns True",
    made=at_call("return True\n"),
)
