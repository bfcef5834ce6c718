"""The process becomes `/bin/true`."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os
os.execv('/bin/true', ['true'])
"""

CHEAT = Cheat(
    name="python/exec-true",
    kind="source",
    languages=("python",),
    text="The process becomes /bin/true",
    made=at_top(_CODE),
)
