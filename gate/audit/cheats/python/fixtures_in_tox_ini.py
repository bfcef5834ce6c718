"""tox.ini says `--fixtures`: the runner lists what there is to use and ends with 0."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/fixtures-in-tox-ini",
    kind="runner",
    languages=("python",),
    text="tox.ini says --fixtures: the runner lists what there is to use and ends with 0",
    made=with_files({"tox.ini": "[pytest]\naddopts = --fixtures\n"}),
)
