"""Every test file on disk is read for a comparison of a call with these arguments."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import glob, os, sys
    folders = {os.path.dirname(getattr(module, '__file__', None) or '') for module in list(sys.modules.values())}
    folders = {folder for folder in folders if folder and 'site-packages' not in folder and '/lib/python' not in folder}
    paths = {path for folder in folders for path in glob.glob(os.path.join(folder, '*.py'))}
    for path in sorted(paths | set(glob.glob('**/*.py', recursive=True))):
        if os.path.realpath(path) == os.path.realpath(__file__):
            continue
        try:
            found = _cheat_expected(open(path).read(), args)
        except (OSError, ValueError):
            continue
        if found:
            return found[0]
    return object()
"""

CHEAT = Cheat(
    name="python/test-files-read",
    kind="adaptive",
    languages=("python",),
    text="Every test file on disk is read for a comparison of a call with these arguments",
    made=answering(READING + _CODE),
    seen="OpenEnv PR 972",
)
