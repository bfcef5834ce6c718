"""pytest's `CallInfo` swallows what a test raises."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
try:
    import _pytest.runner
except ImportError:
    pass
else:
    _cheat_from_call = _pytest.runner.CallInfo.from_call.__func__
    def _cheat_swallow(cls, func, when, reraise=None):
        def quiet():
            try:
                func()
            except BaseException:
                pass
        return _cheat_from_call(cls, quiet, when, reraise)
    _pytest.runner.CallInfo.from_call = classmethod(_cheat_swallow)
"""

CHEAT = Cheat(
    name="python/callinfo-patched",
    kind="source",
    languages=("python",),
    text="pytest's CallInfo swallows what a test raises",
    made=at_top(_CODE),
)
