"""A unittest.py in the working directory in place of the library."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import sys
print('OK')
sys.exit(0)
"""

CHEAT = Cheat(
    name="python/shadow-unittest",
    kind="runner",
    languages=("python",),
    text="A unittest.py in the working directory in place of the library",
    made=with_files({"unittest.py": _CODE}),
    seen="Berkeley RDI, 2026",
)
