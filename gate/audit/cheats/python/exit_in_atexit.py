"""The exit code becomes 0 when the interpreter ends."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import atexit, os
atexit.register(os._exit, 0)
"""

CHEAT = Cheat(
    name="python/exit-in-atexit",
    kind="source",
    languages=("python",),
    text="The exit code becomes 0 when the interpreter ends",
    made=at_top(_CODE),
)
