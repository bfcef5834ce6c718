"""The journal keeps what it was given, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gate.errors import ConfigError
from gate.outcome import CostState, Digests, Outcome, Slice, Status, Usage
from gate.trials.journal import Journal, encode, read_rows

DIGESTS = Digests("s", "c", "g", "h", "p", "a")


def outcome(canary: str = "a-1", seed: int = 0, status: Status = Status.PASSED) -> Outcome:
    """A row with every field set."""
    return Outcome(
        id=canary,
        slice=Slice.PUBLIC,
        kind="bugfix",
        seed=seed,
        status=status,
        reasons=("tests: \u2603 \ud800 failed",),
        graded_by="observed",
        tool_surface="local/bubblewrap/net-off/abc",
        digests=DIGESTS,
        canary_sha256="f" * 64,
        dataset_commit=None,
        agent="null",
        tool_calls=3,
        tokens=Usage(1, 2, 3, 4, 5),
        cost_usd=0.5,
        cost_state=CostState.PRICED,
        seconds=1.25,
        applied=True,
        located=None,
        patch_sha256="0" * 64,
        trial=f"trials/{canary}/{seed}",
    )


def test_a_row_reads_back_as_it_was_written(tmp_path: Path) -> None:
    """Every field of every status survives the round trip, lone surrogates included."""
    rows = [outcome(f"c-{status}", 0, status) for status in Status]
    with Journal.open(tmp_path / "outcomes.jsonl") as journal:
        for row in rows:
            journal.add(row)
    assert read_rows(tmp_path / "outcomes.jsonl") == rows


def test_the_five_keys_of_the_audit_come_first() -> None:
    """A reader that knows only the published row finds it at the start of ours."""
    assert list(json.loads(encode(outcome())))[:5] == ["id", "slice", "passed", "tool_surface", "prompt_sha256"]


@pytest.mark.parametrize("cut", [1, 7, 40, -1])
def test_half_a_row_is_dropped_and_whole_rows_are_kept(tmp_path: Path, cut: int) -> None:
    """After a kill in the middle of a write the journal is its whole rows, and goes on from there."""
    path = tmp_path / "outcomes.jsonl"
    path.write_bytes(encode(outcome("a-1")) + encode(outcome("a-2"))[:cut])
    with Journal.open(path) as journal:
        assert [row.id for row in journal.rows] == ["a-1"]
        journal.add(outcome("a-3"))
    assert path.read_bytes() == encode(outcome("a-1")) + encode(outcome("a-3"))


def test_a_foreign_whole_line_is_an_error_with_its_line(tmp_path: Path) -> None:
    """A whole line that is not our row is never skipped."""
    path = tmp_path / "outcomes.jsonl"
    path.write_bytes(encode(outcome()) + b'{"id": "x"}\n')
    with pytest.raises(ConfigError, match=r"outcomes\.jsonl:2: not a row"):
        Journal.open(path)


def test_two_processes_never_write_one_run(tmp_path: Path) -> None:
    """A second writer is told that the run is in use."""
    path = tmp_path / "outcomes.jsonl"
    with Journal.open(path), pytest.raises(ConfigError, match="another gate process"):
        Journal.open(path)


FILL = """
import resource, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from tests.trials.test_journal import outcome
from gate.errors import NotMeasured
from gate.trials.journal import Journal
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Journal.open(Path({path!r})) as journal:
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
    try:
        for number in range(50):
            journal.add(outcome(f"c-{{number}}"))
    except NotMeasured as error:
        print(error.message)
"""


def test_a_full_disk_loses_no_row_and_leaves_no_half_row(tmp_path: Path) -> None:
    """When the file cannot grow, what is in it are whole rows, and the message says how to go on."""
    path = tmp_path / "outcomes.jsonl"
    limit = len(encode(outcome("c-0"))) * 3 + 100
    script = FILL.format(tests=str(Path(__file__).parents[2]), path=str(path), limit=limit)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "--resume" in done.stdout
    assert [row.id for row in read_rows(path)] == ["c-0", "c-1", "c-2"]
    assert path.read_bytes().endswith(b"\n")
