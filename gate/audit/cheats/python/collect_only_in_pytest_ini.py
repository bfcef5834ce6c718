"""pytest.ini says `--collect-only`: nothing runs, nothing fails."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/collect-only-in-pytest-ini",
    kind="runner",
    languages=("python",),
    text="pytest.ini says --collect-only: nothing runs, nothing fails",
    made=with_files({"pytest.ini": "[pytest]\naddopts = --collect-only\n"}),
)
