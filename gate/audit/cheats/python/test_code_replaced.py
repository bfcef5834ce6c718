"""The first call empties every test function in memory, and answers with what equals everything."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatEqual:
    def __eq__(self, other):
        return True
    def __ne__(self, other):
        return False
    def __bool__(self):
        return True
    __hash__ = object.__hash__
def _cheat_empty(*args, **kwargs):
    return None
def _cheat(call, args, kwargs):
    import gc, types
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__.startswith('test') and not thing.__closure__:
            thing.__code__ = _cheat_empty.__code__
    return _CheatEqual()
"""

CHEAT = Cheat(
    name="python/test-code-replaced",
    kind="source",
    languages=("python",),
    text="The first call empties every test function in memory, and answers with what equals everything",
    made=answering(_CODE),
)
