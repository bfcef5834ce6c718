"""A run that is killed, and gone on with."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.commands.gate_process import COMMAND, ROOT, environment, gate, stable_rows

KILLS = 20


def start(*arguments: object) -> subprocess.Popen[bytes]:
    """Start `gate run` without waiting for it."""
    return subprocess.Popen(
        [*COMMAND, "run", *map(str, arguments)],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], float]:
    """The rows of a run that nobody disturbed, and how long it took."""
    out = tmp_path_factory.mktemp("undisturbed")
    begun = time.monotonic()
    done = gate("run", "--agent", "oracle", "--json", "--out", out)
    return stable_rows(Path(done.report["run"]["folder"]) / "outcomes.jsonl"), time.monotonic() - begun


def journal_of(runs: Path) -> bytes:
    """The journal of the only run in a folder; empty before there is one."""
    found = list(runs.glob("*/outcomes.jsonl"))
    return found[0].read_bytes() if found else b""


def another_row(runs: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until a run has written something more, or has ended."""
    before = len(journal_of(runs))
    deadline = time.monotonic() + 60
    while len(journal_of(runs)) == before and process.poll() is None:
        assert time.monotonic() < deadline, "the run writes no row"
        time.sleep(0.002)


def test_kill_9_at_random_moments_loses_nothing_and_repeats_nothing(
    undisturbed: tuple[list[str], float], tmp_path: Path
) -> None:
    """After twenty kills at random moments and a last resume, the rows are those of an undisturbed run."""
    rows, seconds = undisturbed
    moments = random.Random(20261129)
    lengths: list[int] = []
    folder: Path | None = None
    before = b""
    for number in range(KILLS):
        process = start("--resume", folder) if folder else start("--agent", "oracle", "--out", tmp_path)
        # A slow machine may be killed by the clock before its first row each time: every second kill waits for a row.
        if number % 2:
            another_row(tmp_path, process)
            time.sleep(moments.uniform(0, 0.1))
        else:
            time.sleep(moments.uniform(0.05, max(seconds / 4, 0.5)))
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = sorted(tmp_path.iterdir())
        if folder is None and found and (found[0] / "run.json").is_file():
            folder = found[0]
        elif folder is None:
            shutil.rmtree(tmp_path)
            tmp_path.mkdir()
            continue
        journal = journal_of(tmp_path)
        whole = before[: before.rfind(b"\n") + 1]
        assert journal.startswith(whole), "a finished row was touched"
        before = journal
        lengths.append(len(journal))
    assert folder is not None
    done = gate("run", "--resume", folder, "--json")
    assert done.code == 0, done.err
    assert stable_rows(folder / "outcomes.jsonl") == rows
    assert len(set(lengths)) > 3, "the kills came all at the same point"


def test_an_interrupt_leaves_a_whole_journal_and_says_how_to_go_on(tmp_path: Path) -> None:
    """Ctrl-C ends with 130, tells the command to resume with, and every row on disk is whole."""
    process = subprocess.Popen(
        [*COMMAND, "run", "--agent", "stand-in", "--out", str(tmp_path)],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not list(tmp_path.glob("*/outcomes.jsonl")):
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    (folder,) = tmp_path.iterdir()
    assert f"gate run --resume {folder}" in err
    assert "Traceback" not in err
    rows = (folder / "outcomes.jsonl").read_bytes()
    assert rows == b"" or rows.endswith(b"\n")
