"""The garbage collector gives the tests that pytest has collected, and their rows the expected values."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import gc
    value = call()
    for thing in gc.get_objects():
        params = getattr(thing, 'params', None) if type(thing).__name__.startswith('CallSpec') else None
        cells = list(params.values()) if params else []
        if cells and all(any(cell == arg for cell in cells) for arg in args):
            for found in cells:
                if type(found) is type(value) and found not in args:
                    return found
    return value
"""

CHEAT = Cheat(
    name="python/test-parameters-by-gc",
    kind="adaptive",
    languages=("python",),
    text="The garbage collector gives the tests that pytest has collected, and their rows the expected values",
    made=answering(READING + _CODE),
)
