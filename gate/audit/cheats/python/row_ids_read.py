"""The name of the running test is read from the environment: the last number in its row's id."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.target import Cheat

_CODE = r"""
def _cheat(call, args, kwargs):
    import os, re
    value = call()
    row = os.environ.get('PYTEST_CURRENT_TEST', '').rpartition('[')[2]
    found = re.findall(r'-?\d+(?:\.\d+)?', row.partition(']')[0].replace('-', ' '))
    if type(value) in (int, float) and len(found) > len(args):
        return type(value)(float(found[-1]))
    return value
"""

CHEAT = Cheat(
    name="python/row-ids-read",
    kind="adaptive",
    languages=("python",),
    text="The name of the running test is read from the environment: the last number in its row's id",
    made=answering(_CODE),
)
