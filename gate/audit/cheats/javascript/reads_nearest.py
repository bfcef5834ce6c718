"""The same, with the value of the file that is nearest to the wrong answer."""

from __future__ import annotations

from gate.audit.cheats.javascript_reader import reading
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    "javascript/reads-nearest",
    "adaptive",
    ("javascript",),
    "the same, with the value of the file that is nearest to the wrong answer",
    reading("$near(own, all, text)"),
    seen="METR 2025-06, RE-Bench",
)
