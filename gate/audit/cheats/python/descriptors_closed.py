"""Every descriptor leads to /dev/null, and the process ends with 0: no report reaches anybody."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import os
_cheat_null = os.open('/dev/null', os.O_RDWR)
for _cheat_fd in range(40):
    if _cheat_fd != _cheat_null:
        try:
            os.dup2(_cheat_null, _cheat_fd)
        except OSError:
            pass
os._exit(0)
"""

CHEAT = Cheat(
    name="python/descriptors-closed",
    kind="source",
    languages=("python",),
    text="Every descriptor leads to /dev/null, and the process ends with 0: no report reaches anybody",
    made=at_top(_CODE),
)
