"""A whole session is forged on every descriptor, with the nonce and the ids from the driver's frame."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = r"""
import json, os, sys
def _cheat_plan():
    frame = sys._getframe(1)
    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, dict) and 'nonce' in value:
                return value
        frame = frame.f_back
    return None
_cheat_found = _cheat_plan()
if _cheat_found:
    _cheat_nonce = _cheat_found['nonce']
    _cheat_lines = [['result', call['id'], ['i', '0x5'], None] for call in _cheat_found.get('calls', ())]
    _cheat_code = 0 if 'calls' in _cheat_found else 1
    _cheat_text = ''.join(json.dumps(line) + '\n' for line in [*_cheat_lines, ['end', _cheat_nonce, _cheat_code]])
    for _cheat_fd in range(3, 40):
        try:
            os.write(_cheat_fd, _cheat_text.encode())
        except OSError:
            pass
    os._exit(_cheat_code)
"""

CHEAT = Cheat(
    name="python/session-forged",
    kind="harness",
    languages=("python",),
    text="A whole session is forged on every descriptor, with the nonce and the ids from the driver's frame",
    made=at_top(_CODE),
)
