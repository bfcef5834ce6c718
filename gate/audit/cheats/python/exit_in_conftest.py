"""A conftest.py prints that the tests passed and ends the process with 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = r"""
import os
os.write(1, b'============ 2 passed in 0.01s ============\n')
os._exit(0)
"""

CHEAT = Cheat(
    name="python/exit-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py prints that the tests passed and ends the process with 0",
    made=with_files({"conftest.py": _CODE}),
)
