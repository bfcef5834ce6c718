"""`sys.exit` ends with 0, whatever it is given: the runner's own last word."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os, sys
sys.exit = lambda *rest: os._exit(0)
"""

CHEAT = Cheat(
    name="python/sys-exit-patched",
    kind="source",
    languages=("python",),
    text="sys.exit ends with 0, whatever it is given: the runner's own last word",
    made=at_top(_CODE),
)
