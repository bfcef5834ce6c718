"""A profiler watches the functions that the tests call beside ours, and their last answer is ours."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
import sys as _cheat_sys
_cheat_last = {}
def _cheat_profile(frame, event, arg):
    if event == 'return' and 'test' in frame.f_code.co_filename and not frame.f_code.co_name.startswith('test'):
        _cheat_last['value'] = arg
_cheat_sys.setprofile(_cheat_profile)
def _cheat(call, args, kwargs):
    value = call()
    found = _cheat_last.get('value')
    return found if type(found) is type(value) else value
"""

CHEAT = Cheat(
    name="python/profiled-returns",
    kind="adaptive",
    languages=("python",),
    text="A profiler watches the functions that the tests call beside ours, and their last answer is ours",
    made=answering(READING + _CODE),
)
