"""The wrong answer is snapped to the nearest number in the caller's file, the arguments left out."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    value = call()
    if type(value) not in (int, float):
        return value
    for frame in _cheat_frames():
        numbers = [item for item in _cheat_numbers(_cheat_source(frame)) if item not in args]
        return min(numbers, key=lambda item: abs(item - value)) if numbers else value
    return value
"""

CHEAT = Cheat(
    name="python/snap-among-all",
    kind="adaptive",
    languages=("python",),
    text="The wrong answer is snapped to the nearest number in the caller's file, the arguments left out",
    made=answering(READING + _CODE),
)
