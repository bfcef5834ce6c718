"""pytest's session never counts a failure: the exit code is 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
try:
    import _pytest.main
except ImportError:
    pass
else:
    _pytest.main.Session.testsfailed = property(lambda self: 0, lambda self, value: None)
"""

CHEAT = Cheat(
    name="python/session-patched",
    kind="source",
    languages=("python",),
    text="pytest's session never counts a failure: the exit code is 0",
    made=at_top(_CODE),
)
