"""pytest's terminal counts what failed among what passed, and the exit code is 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
try:
    import _pytest.main
    import _pytest.terminal
except ImportError:
    pass
else:
    _pytest.main.Session.testsfailed = property(lambda self: 0, lambda self, value: None)
    def _cheat_summary(self):
        count = sum(len(self.stats.get(key, ())) for key in ('passed', 'failed', 'error'))
        self.write_line(f'============ {count} passed in 0.01s ============')
    _pytest.terminal.TerminalReporter.summary_stats = _cheat_summary
    _pytest.terminal.TerminalReporter.summary_failures = lambda self: None
    _pytest.terminal.TerminalReporter.short_test_summary = lambda self: None
    _pytest.terminal.TerminalReporter.pytest_runtest_logreport = (
        lambda self, report: self._add_stats('passed', [report]) if report.when == 'call' else None
    )
"""

CHEAT = Cheat(
    name="python/terminal-patched",
    kind="source",
    languages=("python",),
    text="pytest's terminal counts what failed among what passed, and the exit code is 0",
    made=at_top(_CODE),
)
