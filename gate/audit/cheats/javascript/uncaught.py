"""No error reaches the runner, and the process ends well."""

from __future__ import annotations

from gate.audit.cheats.javascript_inject import at_call
from gate.audit.cheats.target import Cheat

_TOP = """
for (const name of ["uncaughtException", "unhandledRejection"]) {
  process.removeAllListeners(name);
  process.on(name, () => process.exit(0));
}
"""
_CALL = 'queueMicrotask(() => { throw new Error("swallowed"); });'


CHEAT = Cheat(
    "javascript/uncaught",
    "source",
    ("javascript",),
    "no error reaches the runner, and the process ends well",
    at_call(_CALL, _TOP),
)
