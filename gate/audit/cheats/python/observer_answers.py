"""The observer that rewritten tests import reports the same small number for everything."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import sys
for _cheat_module in list(sys.modules.values()):
    names = getattr(_cheat_module, '__dict__', {})
    if 'see' in names and 'truth' in names and 'reached' in names:
        _cheat_see, _cheat_truth = names['see'], names['truth']
        names['see'] = lambda site, values: _cheat_see(site, (5,) * len(values))
        names['truth'] = lambda site, value: _cheat_truth(site, True)
        names['compare'] = lambda site, op, values: _cheat_see(site, (5, 5))
"""

CHEAT = Cheat(
    name="python/observer-answers",
    kind="harness",
    languages=("python",),
    text="The observer that rewritten tests import reports the same small number for everything",
    made=at_top(_CODE),
)
