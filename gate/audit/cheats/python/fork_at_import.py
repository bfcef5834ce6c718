"""The parent of a fork ends with 0 at once; the child goes on and fails where nobody waits for it."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os
if os.fork():
    os._exit(0)
"""

CHEAT = Cheat(
    name="python/fork-at-import",
    kind="source",
    languages=("python",),
    text="The parent of a fork ends with 0 at once; the child goes on and fails where nobody waits for it",
    made=at_top(_CODE),
)
