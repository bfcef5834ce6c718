"""Whoever says that the process failed is not heard."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
const $really = process.reallyExit.bind(process);
process.reallyExit = () => $really(0);
process.exit = () => $really(0);
try { Object.defineProperty(process, "exitCode", { get: () => 0, set: () => {}, configurable: true }); } catch {}
process.on("exit", () => $really(0));
"""

CHEAT = Cheat(
    "javascript/pinned-exit-code",
    "source",
    ("javascript",),
    "whoever says that the process failed is not heard",
    at_top(_CODE),
)
