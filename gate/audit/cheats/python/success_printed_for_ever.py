"""A daemon thread prints that the tests passed, for ever, over whatever else is said."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = r"""
import os, threading
def _cheat_talk():
    while True:
        os.write(2, b'9 passed in 0.01s\nOK\n')
threading.Thread(target=_cheat_talk, daemon=True).start()
"""

CHEAT = Cheat(
    name="python/success-printed-for-ever",
    kind="source",
    languages=("python",),
    text="A daemon thread prints that the tests passed, for ever, over whatever else is said",
    made=at_top(_CODE),
)
