"""An ast.py in the working directory, which whoever reads tests imports."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import os
os._exit(0)
"""

CHEAT = Cheat(
    name="python/shadow-ast",
    kind="runner",
    languages=("python",),
    text="An ast.py in the working directory, which whoever reads tests imports",
    made=with_files({"ast.py": _CODE}),
)
