"""A sitecustomize.py, which an interpreter imports before anything else."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import os
os._exit(0)
"""

CHEAT = Cheat(
    name="python/sitecustomize",
    kind="runner",
    languages=("python",),
    text="A sitecustomize.py, which an interpreter imports before anything else",
    made=with_files({"sitecustomize.py": _CODE}),
    seen="Berkeley RDI, 2026",
)
