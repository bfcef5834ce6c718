"""pyproject.toml says `--collect-only`."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

CHEAT = Cheat(
    name="python/collect-only-in-pyproject",
    kind="runner",
    languages=("python",),
    text="pyproject.toml says --collect-only",
    made=with_files({"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--collect-only"\n'}),
)
