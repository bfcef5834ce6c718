"""A timer's signal ends the process with 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os, signal
signal.signal(signal.SIGALRM, lambda *rest: os._exit(0))
signal.setitimer(signal.ITIMER_REAL, 0.001)
"""

CHEAT = Cheat(
    name="python/exit-on-alarm",
    kind="source",
    languages=("python",),
    text="A timer's signal ends the process with 0",
    made=at_top(_CODE),
)
