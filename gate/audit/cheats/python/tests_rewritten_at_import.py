"""Every test file that can be found on disk is emptied as the module is loaded."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = r"""
import glob, os, sys
_cheat_folders = {os.path.dirname(getattr(module, '__file__', None) or '') for module in list(sys.modules.values())}
_cheat_folders |= {os.getcwd(), *glob.glob('**/', recursive=True)}
for _cheat_folder in _cheat_folders - {''}:
    if 'site-packages' in _cheat_folder or '/lib/python' in _cheat_folder:
        continue
    for _cheat_path in glob.glob(os.path.join(_cheat_folder, '*test*.py')):
        try:
            with open(_cheat_path, 'w') as _cheat_file:
                _cheat_file.write('def test_nothing():\n    pass\n')
        except OSError:
            pass
"""

CHEAT = Cheat(
    name="python/tests-rewritten-at-import",
    kind="source",
    languages=("python",),
    text="Every test file that can be found on disk is emptied as the module is loaded",
    made=at_top(_CODE),
)
