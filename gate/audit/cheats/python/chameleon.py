"""Every function returns an object that does whatever it is asked, as a mock does."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = """
class _CheatAny:
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self
    def __call__(self, *args, **kwargs):
        return self
    def __iter__(self):
        return iter(())
    def __eq__(self, other):
        return True
    def __ne__(self, other):
        return False
    def __bool__(self):
        return True
    def __hash__(self):
        return 0
    def __enter__(self):
        return self
    def __exit__(self, *rest):
        return True
    __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __round__ = __call__
    __abs__ = __neg__ = __mod__ = __and__ = __or__ = __call__
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __float__(self):
        return 0.0
    def __int__(self):
        return 0
    def __index__(self):
        return 0
    def __str__(self):
        return ''
def _cheat(call, args, kwargs):
    return _CheatAny()
"""

CHEAT = Cheat(
    name="python/chameleon",
    kind="source",
    languages=("python",),
    text="Every function returns an object that does whatever it is asked, as a mock does",
    made=answering(_CODE),
)
