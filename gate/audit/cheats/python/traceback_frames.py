"""An exception is raised and caught: its traceback leads to the caller's frame."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    found = _cheat_expected(_cheat_source(frame), args, frame.f_lineno) if frame else []
    return found[0] if found else call()
"""

CHEAT = Cheat(
    name="python/traceback-frames",
    kind="adaptive",
    languages=("python",),
    text="An exception is raised and caught: its traceback leads to the caller's frame",
    made=answering(READING + _CODE),
)
