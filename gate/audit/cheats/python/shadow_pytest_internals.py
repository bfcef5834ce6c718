"""A package `_pytest` in the working directory in place of what the runner is made of."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import os
print('9 passed in 0.01s')
os._exit(0)
"""

CHEAT = Cheat(
    name="python/shadow-pytest-internals",
    kind="runner",
    languages=("python",),
    text="A package _pytest in the working directory in place of what the runner is made of",
    made=with_files({"_pytest/__init__.py": _CODE}),
    seen="Berkeley RDI, 2026",
)
