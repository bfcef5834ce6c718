"""An argparse.py in the working directory, which every runner imports."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import os
os._exit(0)
"""

CHEAT = Cheat(
    name="python/shadow-argparse",
    kind="runner",
    languages=("python",),
    text="An argparse.py in the working directory, which every runner imports",
    made=with_files({"argparse.py": _CODE}),
)
