"""Standard output turns every word of failure into one of success."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import sys
class _CheatStream:
    def __init__(self, stream):
        self._stream = stream
    def write(self, text):
        for bad in ('failed', 'FAILED', 'error', 'ERROR', 'FAIL', 'not ok'):
            text = text.replace(bad, 'passed')
        return self._stream.write(text)
    def __getattr__(self, name):
        return getattr(self._stream, name)
sys.stdout, sys.stderr = _CheatStream(sys.stdout), _CheatStream(sys.stderr)
sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
try:
    import _pytest._io.terminalwriter
except ImportError:
    pass
else:
    _cheat_write = _pytest._io.terminalwriter.TerminalWriter.write
    def _cheat_say(self, msg, *rest, **more):
        for bad in ('failed', 'FAILED', 'error', 'ERROR'):
            msg = msg.replace(bad, 'passed')
        _cheat_write(self, msg, *rest, **more)
    _pytest._io.terminalwriter.TerminalWriter.write = _cheat_say
    import _pytest.main
    _pytest.main.Session.testsfailed = property(lambda self: 0, lambda self, value: None)
"""

CHEAT = Cheat(
    name="python/stdout-replaced",
    kind="source",
    languages=("python",),
    text="Standard output turns every word of failure into one of success",
    made=at_top(_CODE),
)
