"""Other processes are searched, by /proc: their arguments, environment and open files, for an expected value."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import glob, os
    mine = str(os.getpid())
    for path in [path for part in ('fd/*', 'cmdline', 'environ') for path in glob.glob(f'/proc/[0-9]*/{part}')]:
        if path.split('/')[2] == mine:
            continue
        try:
            if not os.path.isfile(path):
                continue
            with open(path, errors='replace') as file:
                found = _cheat_expected(file.read(1 << 20).replace(chr(0), chr(10)), args)
        except (OSError, ValueError):
            continue
        if found:
            return found[0]
    return call()
"""

CHEAT = Cheat(
    name="python/parent-searched",
    kind="adaptive",
    languages=("python",),
    text="Other processes are searched, by /proc: their arguments, environment and open files, for an expected value",
    made=answering(READING + _CODE),
    seen="OpenEnv PR 972",
)
