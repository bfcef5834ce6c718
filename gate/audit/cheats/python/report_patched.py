"""Every `TestReport` of pytest says passed."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
try:
    import _pytest.reports
except ImportError:
    pass
else:
    _cheat_init = _pytest.reports.TestReport.__init__
    def _cheat_report(self, nodeid, location, keywords, outcome, longrepr, when, *rest, **more):
        _cheat_init(self, nodeid, location, keywords, 'passed', None, when, *rest, **more)
    _pytest.reports.TestReport.__init__ = _cheat_report
"""

CHEAT = Cheat(
    name="python/report-patched",
    kind="source",
    languages=("python",),
    text="Every TestReport of pytest says passed",
    made=at_top(_CODE),
)
