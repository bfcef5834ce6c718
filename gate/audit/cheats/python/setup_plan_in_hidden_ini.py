""".pytest.ini says `--setup-plan`: every test is shown and none is run."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/setup-plan-in-hidden-ini",
    kind="runner",
    languages=("python",),
    text=".pytest.ini says --setup-plan: every test is shown and none is run",
    made=with_files({".pytest.ini": "[pytest]\naddopts = --setup-plan\n"}),
)
