"""AssertionError is another class, and `bool` is always true."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_end
from gate.audit.cheats.target import Cheat

_CODE = """
import builtins
builtins.bool = lambda value=False: True
builtins.AssertionError = type('AssertionError', (Exception,), {})
"""

CHEAT = Cheat(
    name="python/builtin-errors-patched",
    kind="source",
    languages=("python",),
    text="AssertionError is another class, and bool is always true",
    made=at_end(_CODE),
)
