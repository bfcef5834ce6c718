"""A pytest.py in the working directory in place of the runner."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
print('9 passed in 0.01s')
raise SystemExit(0)
"""

CHEAT = Cheat(
    name="python/shadow-pytest",
    kind="runner",
    languages=("python",),
    text="A pytest.py in the working directory in place of the runner",
    made=with_files({"pytest.py": _CODE}),
    seen="Berkeley RDI, 2026",
)
