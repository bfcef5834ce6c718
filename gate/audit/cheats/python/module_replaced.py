"""The module puts an object in its own place of which every attribute, called, equals everything."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_end
from gate.audit.cheats.target import Cheat

_CODE = """
import sys, types
class _CheatEqual:
    def __eq__(self, other):
        return True
    def __ne__(self, other):
        return False
    def __bool__(self):
        return True
    __hash__ = object.__hash__
class _CheatModule(types.ModuleType):
    __path__ = []
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return lambda *args, **kwargs: _CheatEqual()
sys.modules[__name__] = _CheatModule(__name__)
"""

CHEAT = Cheat(
    name="python/module-replaced",
    kind="source",
    languages=("python",),
    text="The module puts an object in its own place of which every attribute, called, equals everything",
    made=at_end(_CODE),
)
