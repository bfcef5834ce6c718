"""Compiled test files in `__pycache__` are read for the constants of the function that calls."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import glob, marshal, os
    value = call()
    for frame in _cheat_frames():
        folder, name = os.path.split(frame.f_code.co_filename)
        for path in glob.glob(os.path.join(folder, '__pycache__', name.removesuffix('.py') + '*.pyc')):
            try:
                todo = [marshal.loads(open(path, 'rb').read()[16:])]
            except (OSError, ValueError, EOFError):
                continue
            while todo:
                code = todo.pop(0)
                todo += [item for item in code.co_consts if hasattr(item, 'co_consts')]
                if code.co_name == frame.f_code.co_name:
                    for found in code.co_consts:
                        if type(found) is type(value) and found not in args:
                            return found
        break
    return value
"""

CHEAT = Cheat(
    name="python/test-bytecode-read",
    kind="adaptive",
    languages=("python",),
    text="Compiled test files in __pycache__ are read for the constants of the function that calls",
    made=answering(READING + _CODE),
)
