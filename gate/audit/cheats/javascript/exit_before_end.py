"""The process ends well just before it would end by itself."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $end = () => { process.exitCode = 0; process.exit(0); };
for (const name of ["beforeExit", "exit"]) process.prependListener(name, $end);
"""

CHEAT = Cheat(
    "javascript/exit-before-end",
    "source",
    ("javascript",),
    "the process ends well just before it would end by itself",
    at_top(_CODE),
)
