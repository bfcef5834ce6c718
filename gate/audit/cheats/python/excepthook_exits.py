"""`sys.excepthook` ends the process with 0: a script that fails ends well."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os, sys
sys.excepthook = lambda *rest: os._exit(0)
"""

CHEAT = Cheat(
    name="python/excepthook-exits",
    kind="source",
    languages=("python",),
    text="sys.excepthook ends the process with 0: a script that fails ends well",
    made=at_top(_CODE),
)
