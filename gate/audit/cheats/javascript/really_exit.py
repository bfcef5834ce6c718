"""Each function ends the process below the handlers of its end."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_call
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    "javascript/really-exit",
    "source",
    ("javascript",),
    "each function ends the process below the handlers of its end",
    at_call("process.reallyExit(0);"),
)
