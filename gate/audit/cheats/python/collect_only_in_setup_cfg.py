"""setup.cfg says `--co`."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/collect-only-in-setup-cfg",
    kind="runner",
    languages=("python",),
    text="setup.cfg says --co",
    made=with_files({"setup.cfg": "[tool:pytest]\naddopts = --co\n"}),
)
