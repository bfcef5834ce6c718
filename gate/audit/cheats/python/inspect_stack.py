"""`inspect.stack` gives the caller's lines, without asking for a frame by name."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import inspect
    for info in inspect.stack(context=1):
        if info.filename != __file__ and info.code_context:
            found = _cheat_expected(info.code_context[0].strip(), args, 1)
            return found[0] if found else call()
    return call()
"""

CHEAT = Cheat(
    name="python/inspect-stack",
    kind="adaptive",
    languages=("python",),
    text="inspect.stack gives the caller's lines, without asking for a frame by name",
    made=answering(READING + _CODE),
)
