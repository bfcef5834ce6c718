"""The comparisons of the module `operator` are always true."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_end
from gate.audit.cheats.target import Cheat

_CODE = """
import operator
for _cheat_name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'is_', 'contains', 'truth'):
    setattr(operator, _cheat_name, lambda *rest: True)
"""

CHEAT = Cheat(
    name="python/operators-patched",
    kind="source",
    languages=("python",),
    text="The comparisons of the module operator are always true",
    made=at_end(_CODE),
)
