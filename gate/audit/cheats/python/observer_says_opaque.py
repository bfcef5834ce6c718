"""The observer reports objects without a value that compared as they should."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import sys
for _cheat_module in list(sys.modules.values()):
    names = getattr(_cheat_module, '__dict__', {})
    if 'see' in names and 'truth' in names and 'reached' in names:
        _cheat_send = getattr(getattr(names['see'], '__self__', None), '_send', lambda *rest: None)
        def _cheat_opaque(site, values):
            _cheat_send('see', site, [[['o', 'x']] * len(values), True, [False] * 4])
        names['see'] = _cheat_opaque
        names['compare'] = lambda site, op, values: _cheat_opaque(site, values)
"""

CHEAT = Cheat(
    name="python/observer-says-opaque",
    kind="harness",
    languages=("python",),
    text="The observer reports objects without a value that compared as they should",
    made=at_top(_CODE),
)
