"""Records are written to every open descriptor, for every id that the test files hold."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = r"""
import json, os, re, sys
def _cheat_forge():
    texts, ids = [], set()
    for module in list(sys.modules.values()):
        path = getattr(module, '__file__', None) or ''
        if 'test' in os.path.basename(path) and 'site-packages' not in path:
            try:
                texts.append(open(path).read())
            except (OSError, ValueError):
                pass
    for text in texts:
        ids |= set(re.findall(r'n[0-9a-f]{8,}', text))
    for descriptor in range(3, 40):
        for name in sorted(ids):
            for record in (['see', name, [[['i', '0x5']]]], ['see', name, [True]], ['reached', name]):
                try:
                    os.write(descriptor, (json.dumps(record) + '\n').encode())
                except OSError:
                    break
_cheat_forge()
"""

CHEAT = Cheat(
    name="python/records-forged",
    kind="harness",
    languages=("python",),
    text="Records are written to every open descriptor, for every id that the test files hold",
    made=at_top(_CODE),
)
