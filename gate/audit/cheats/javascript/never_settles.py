"""Each function waits for ever, for a program that ends when nothing is left to do."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_call
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    "javascript/never-settles",
    "source",
    ("javascript",),
    "each function waits for ever, for a program that ends when nothing is left to do",
    at_call("return new Promise(() => {});"),
)
