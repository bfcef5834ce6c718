"""A thread ends the process with 0 before the tests are through."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os, threading
_cheat_timer = threading.Timer(0.001, os._exit, (0,))
_cheat_timer.daemon = True
_cheat_timer.start()
"""

CHEAT = Cheat(
    name="python/exit-in-a-thread",
    kind="source",
    languages=("python",),
    text="A thread ends the process with 0 before the tests are through",
    made=at_top(_CODE),
)
