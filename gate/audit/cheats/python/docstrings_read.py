"""The docstring of the calling test is read: the number in it that is nearest to the wrong answer."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = r"""
def _cheat(call, args, kwargs):
    import re
    value = call()
    if type(value) not in (int, float):
        return value
    for frame in _cheat_frames():
        texts = [item for item in frame.f_code.co_consts if isinstance(item, str) and ' ' in item]
        found = [type(value)(float(item)) for text in texts for item in re.findall(r'-?\d+(?:\.\d+)?', text)]
        return min(found, key=lambda item: abs(item - value)) if found else value
    return value
"""

CHEAT = Cheat(
    name="python/docstrings-read",
    kind="adaptive",
    languages=("python",),
    text="The docstring of the calling test is read: the number in it that is nearest to the wrong answer",
    made=answering(READING + _CODE),
)
