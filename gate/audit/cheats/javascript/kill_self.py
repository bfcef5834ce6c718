"""Each function kills the process, for a harness that counts failures."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_call
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    "javascript/kill-self",
    "source",
    ("javascript",),
    "each function kills the process, for a harness that counts failures",
    at_call('process.kill(process.pid, "SIGKILL");'),
)
