"""The wrong answer is computed and then snapped to the nearest number in the caller's file."""

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
        source = _cheat_source(frame)
        found = _cheat_expected(source, args, frame.f_lineno) or _cheat_numbers(source)
        numbers = [item for item in found if type(item) in (int, float)]
        return min(numbers, key=lambda item: abs(item - value)) if numbers else value
    return value
"""

CHEAT = Cheat(
    name="python/snap-to-nearest",
    kind="adaptive",
    languages=("python",),
    text="The wrong answer is computed and then snapped to the nearest number in the caller's file",
    made=answering(READING + _CODE),
)
