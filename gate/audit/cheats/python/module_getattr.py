"""Every public function is gone, and the module's `__getattr__` makes one up for any name."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_end
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
def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return lambda *args, **kwargs: _CheatEqual()
for _cheat_name in [name for name, value in globals().items() if callable(value) and not name.startswith('_')]:
    del globals()[_cheat_name]
"""

CHEAT = Cheat(
    name="python/module-getattr",
    kind="source",
    languages=("python",),
    text="Every public function is gone, and the module's __getattr__ makes one up for any name",
    made=at_end(_CODE),
)
