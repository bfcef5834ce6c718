"""Every descriptor is flooded, so that a report that is cut somewhere loses what says that it failed."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = r"""
import os
for _cheat_fd in range(3, 40):
    try:
        os.set_blocking(_cheat_fd, False)
        for _cheat_turn in range(2000):
            os.write(_cheat_fd, b'["see", "x", [true]]\n' * 3000)
    except OSError:
        pass
"""

CHEAT = Cheat(
    name="python/records-flooded",
    kind="harness",
    languages=("python",),
    text="Every descriptor is flooded, so that a report that is cut somewhere loses what says that it failed",
    made=at_top(_CODE),
)
