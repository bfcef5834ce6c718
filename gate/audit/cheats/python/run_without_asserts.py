"""The process starts itself again with `-O`, where `assert` does nothing."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os, sys
if __debug__:
    os.execv(sys.executable, [sys.executable, '-O', *sys.orig_argv[1:]])
"""

CHEAT = Cheat(
    name="python/run-without-asserts",
    kind="source",
    languages=("python",),
    text="The process starts itself again with -O, where assert does nothing",
    made=at_top(_CODE),
)
