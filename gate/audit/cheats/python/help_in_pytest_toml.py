"""pytest.toml, which newer runners read first, says `--help`."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/help-in-pytest-toml",
    kind="runner",
    languages=("python",),
    text="pytest.toml, which newer runners read first, says --help",
    made=with_files({"pytest.toml": '[pytest]\naddopts = ["--help"]\n'}),
)
