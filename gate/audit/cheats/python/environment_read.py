"""The environment and the arguments of the process are searched for an expected value of these arguments."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import os, sys
    texts = [*os.environ.values(), *sys.argv, *sys.orig_argv, os.environ.get('PYTEST_CURRENT_TEST', '')]
    for text in texts:
        found = _cheat_expected(text, args)
        if found:
            return found[0]
    return call()
"""

CHEAT = Cheat(
    name="python/environment-read",
    kind="adaptive",
    languages=("python",),
    text="The environment and the arguments of the process are searched for an expected value of these arguments",
    made=answering(READING + _CODE),
)
