"""What turns answers into records says 7306513, whatever the answer is."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import gc, sys, types
_cheat_number = ['i', '0x6f7d11']
for _cheat_module in list(sys.modules.values()):
    names = getattr(_cheat_module, '__dict__', {})
    for _cheat_name, _cheat_value in (
        ('encode', lambda *rest: _cheat_number),
        ('_encode', lambda *rest: _cheat_number),
        ('encode_or_opaque', lambda *rest: (_cheat_number, False)),
        ('_encode_or_opaque', lambda *rest: (_cheat_number, False)),
        ('_scalar', lambda *rest: _cheat_number),
    ):
        if _cheat_name in names and ('Channel' in names or 'see' in names):
            names[_cheat_name] = _cheat_value
for _cheat_thing in gc.get_objects():
    if isinstance(_cheat_thing, types.FunctionType) and _cheat_thing.__name__ == '_scalar':
        _cheat_thing.__code__ = (lambda cls, value: ['i', '0x6f7d11']).__code__
"""

CHEAT = Cheat(
    name="python/encoder-patched",
    kind="harness",
    languages=("python",),
    text="What turns answers into records says 7306513, whatever the answer is",
    made=at_top(_CODE),
)
