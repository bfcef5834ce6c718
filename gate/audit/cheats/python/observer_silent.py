"""The observer reports no comparison at all, and everything else as it is."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import sys
for _cheat_module in list(sys.modules.values()):
    names = getattr(_cheat_module, '__dict__', {})
    if 'see' in names and 'truth' in names and 'reached' in names:
        names['see'] = names['each'] = names['compare'] = lambda *rest: None
"""

CHEAT = Cheat(
    name="python/observer-silent",
    kind="harness",
    languages=("python",),
    text="The observer reports no comparison at all, and everything else as it is",
    made=at_top(_CODE),
)
