"""`math.isclose`, `cmath.isclose` and `pytest.approx` find everything near."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_end
from gate.audit.cheats.target import Cheat

_CODE = """
import cmath, math
math.isclose = cmath.isclose = lambda *rest, **more: True
try:
    from pytest import approx
except ImportError:
    pass
else:
    for _cheat_value in (approx(1.0), approx([1.0]), approx({1: 1.0})):
        for _cheat_class in type(_cheat_value).__mro__[:-1]:
            _cheat_class.__eq__ = lambda self, other: True
            _cheat_class.__ne__ = lambda self, other: False
"""

CHEAT = Cheat(
    name="python/closeness-patched",
    kind="source",
    languages=("python",),
    text="math.isclose, cmath.isclose and pytest.approx find everything near",
    made=at_end(_CODE),
)
