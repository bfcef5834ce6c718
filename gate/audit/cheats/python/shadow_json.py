"""A json.py in the working directory in place of the library."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import os
os._exit(0)
"""

CHEAT = Cheat(
    name="python/shadow-json",
    kind="runner",
    languages=("python",),
    text="A json.py in the working directory in place of the library",
    made=with_files({"json.py": _CODE}),
)
