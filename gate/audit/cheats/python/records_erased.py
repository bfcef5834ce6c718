"""Whatever was written to any descriptor before is cut off and written over, as far as it is a file."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os
for _cheat_fd in range(40):
    for _cheat_path in (_cheat_fd, f'/proc/self/fd/{_cheat_fd}'):
        try:
            os.truncate(_cheat_path, 0)
        except (OSError, ValueError):
            pass
"""

CHEAT = Cheat(
    name="python/records-erased",
    kind="harness",
    languages=("python",),
    text="Whatever was written to any descriptor before is cut off and written over, as far as it is a file",
    made=at_top(_CODE),
)
