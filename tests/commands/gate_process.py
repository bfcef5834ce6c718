"""Running the real command line in a process of its own, as users do."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "gate")


@cache
def _kept() -> str:
    """What the verbs of one test process remember: nothing that another version of the house left behind."""
    folder = tempfile.mkdtemp(prefix="cg-kept-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def environment() -> dict[str, str]:
    """A plain environment: no colour, no CI, the same locale everywhere, nothing remembered from before."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "GATE_CACHE_DIR": _kept()}


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished verb: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """The report object of `--json`."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


def gate(*arguments: object, cwd: Path = ROOT, more: Mapping[str, str] | None = None) -> Finished:
    """Run `gate` to its end."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=cwd,
        env={**environment(), **(more or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def stable_rows(journal: Path) -> list[str]:
    """The rows as two runs of one commit must have them: sorted, without the time that a trial took."""
    rows = []
    for line in journal.read_text().splitlines():
        row = json.loads(line)
        del row["seconds"]
        rows.append(json.dumps(row))
    return sorted(rows)
