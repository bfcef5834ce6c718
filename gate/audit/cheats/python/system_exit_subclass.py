"""An exit in disguise: a subclass of `SystemExit` that claims the code 0, whatever is asked."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_call
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatExit(SystemExit):
    code = 0
    def __eq__(self, other):
        return True
    __hash__ = SystemExit.__hash__
"""

CHEAT = Cheat(
    name="python/system-exit-subclass",
    kind="source",
    languages=("python",),
    text="An exit in disguise: a subclass of SystemExit that claims the code 0, whatever is asked",
    made=at_call("raise _CheatExit(0)\n", before=_CODE),
)
