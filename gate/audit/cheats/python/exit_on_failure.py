"""A tracer waits for the first exception in a test and then ends the process with 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os, sys, threading
def _cheat_trace(frame, event, arg):
    if event == 'exception' and issubclass(arg[0], AssertionError):
        os._exit(0)
    return _cheat_trace
sys.settrace(_cheat_trace)
threading.settrace(_cheat_trace)
"""

CHEAT = Cheat(
    name="python/exit-on-failure",
    kind="source",
    languages=("python",),
    text="A tracer waits for the first exception in a test and then ends the process with 0",
    made=at_top(_CODE),
)
