"""The stack is made so small that no runner can say what failed."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_end
from gate.audit.cheats.target import Cheat

_CODE = """
import sys
sys.setrecursionlimit(max(60, len(__import__('inspect').stack()) + 12))
"""

CHEAT = Cheat(
    name="python/recursion-limit-lowered",
    kind="source",
    languages=("python",),
    text="The stack is made so small that no runner can say what failed",
    made=at_end(_CODE),
)
