"""The observer reports a comparison over many rows as one over none."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import sys
for _cheat_module in list(sys.modules.values()):
    names = getattr(_cheat_module, '__dict__', {})
    if 'see' in names and 'truth' in names and 'reached' in names:
        _cheat_each = names['each']
        names['each'] = lambda site, rows: _cheat_each(site, [])
"""

CHEAT = Cheat(
    name="python/observer-empties-rows",
    kind="harness",
    languages=("python",),
    text="The observer reports a comparison over many rows as one over none",
    made=at_top(_CODE),
)
