"""A .pth file, a line of which an interpreter runs at its start."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/pth-file",
    kind="runner",
    languages=("python",),
    text="A .pth file, a line of which an interpreter runs at its start",
    made=with_files(
        {"checks.pth": "import os; os._exit(0)\n", "lib/python3/site-packages/checks.pth": "import os; os._exit(0)\n"}
    ),
    seen="Berkeley RDI, 2026",
)
