"""A run that cannot go on: rows whole, no verdict, and never 0."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.gate_process import COMMAND, environment, gate

LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.execv(sys.executable, [sys.executable, "-m", "gate", *sys.argv[2:]])
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `gate init` makes."""
    folder = tmp_path_factory.mktemp("scaffold")
    assert gate("init", folder).code == 0
    return folder


def whole_rows(folder: Path) -> int:
    """How many rows there are; half a row is an error."""
    return len([json.loads(line) for line in (folder / "outcomes.jsonl").read_text().splitlines()])


def test_a_disk_that_takes_no_evidence_is_inconclusive(suite: Path, tmp_path: Path) -> None:
    """Where a trajectory cannot be written, the run ends with 3 and tells how to go on; with room again it is 0."""
    arguments = ("run", "--quiet", "--jobs", "1", "--out", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "2600", *arguments],
        cwd=suite,
        # CPython does not notice that a cached module was cut off by the limit, and the next process would read it.
        env={**environment(), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stdout + done.stderr
    assert "--resume" in done.stderr
    assert "Traceback" not in done.stderr
    (folder,) = tmp_path.iterdir()
    assert whole_rows(folder) < 3
    assert gate("run", "--resume", folder, "--quiet", cwd=suite).code == 0


def test_an_exception_in_a_worker_keeps_the_rows_and_is_no_verdict(suite: Path, tmp_path: Path) -> None:
    """A worker that dies, here of a reader that went away, ends the run with no verdict's code; rows are kept."""
    read, write = os.pipe()
    os.close(read)
    arguments = ["run", "--agent", "oracle", "--seeds", "3", "--out", str(tmp_path)]
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=suite, env=environment(), stdout=subprocess.PIPE, stderr=write, check=False
    )
    os.close(write)
    assert done.returncode not in {0, 2, 3}
    assert done.stdout == b""
    (folder,) = tmp_path.iterdir()
    assert json.loads((folder / "run.json").read_text())["state"] == "interrupted"
    assert 1 <= whole_rows(folder) < 9
    assert gate("run", "--resume", folder, "--quiet", cwd=suite).code == 0
