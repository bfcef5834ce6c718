"""`threading._shutdown` ends the process with 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os, threading
threading._shutdown = lambda *rest: os._exit(0)
"""

CHEAT = Cheat(
    name="python/exit-in-threading-shutdown",
    kind="source",
    languages=("python",),
    text="threading._shutdown ends the process with 0",
    made=at_top(_CODE),
)
