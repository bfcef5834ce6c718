"""The observer is found by the garbage collector, and its class patched."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import gc
for _cheat_thing in gc.get_objects():
    if type(_cheat_thing).__name__ == 'Observer':
        _cheat_class = type(_cheat_thing)
        _cheat_truth, _cheat_see = _cheat_class.truth, _cheat_class.see
        _cheat_class.truth = lambda self, site, value: _cheat_truth(self, site, True)
        _cheat_class.see = lambda self, site, values: _cheat_see(self, site, tuple(5 for _ in values))
"""

CHEAT = Cheat(
    name="python/observer-by-gc",
    kind="harness",
    languages=("python",),
    text="The observer is found by the garbage collector, and its class patched",
    made=at_top(_CODE),
)
