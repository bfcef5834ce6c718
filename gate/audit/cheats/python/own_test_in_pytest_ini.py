"""pytest.ini adds a passing test of its own and deselects every other."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/own-test-in-pytest-ini",
    kind="runner",
    languages=("python",),
    text="pytest.ini adds a passing test of its own and deselects every other",
    made=with_files(
        {
            "pytest.ini": "[pytest]\naddopts = -k nothing_wrong checks/test_own.py\n",
            "checks/test_own.py": "def test_nothing_wrong():\n    pass\n",
        }
    ),
)
