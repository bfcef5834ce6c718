"""`range`, `zip` and `enumerate` are empty when a test asks: a loop over cases makes no round."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_end
from gate.audit.cheats.target import Cheat

_CODE = """
import builtins, sys
def _cheat_patch(name, lie):
    honest = getattr(builtins, name)
    def patched(*args, **kwargs):
        caller = sys._getframe(1).f_globals.get('__name__', '').rpartition('.')[2]
        return lie(*args, **kwargs) if caller.startswith('test') else honest(*args, **kwargs)
    setattr(builtins, name, patched)
for _cheat_name in ('range', 'zip', 'enumerate'):
    _cheat_patch(_cheat_name, lambda *rest, **more: ())
"""

CHEAT = Cheat(
    name="python/builtin-loops-patched",
    kind="source",
    languages=("python",),
    text="range, zip and enumerate are empty when a test asks: a loop over cases makes no round",
    made=at_end(_CODE),
)
