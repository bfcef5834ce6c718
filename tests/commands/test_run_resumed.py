"""A resumed run publishes the rows that it finds: only its own, whole and proven, under the policy it started with."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.gate_process import COMMAND, environment, gate, stable_rows

Edit = Callable[[Path], None]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scaffold, with a policy that only traps can block: what else is asked for comes from the command line."""
    folder = tmp_path_factory.mktemp("scaffold")
    assert gate("init", folder).code == 0
    text = (folder / "gate.yml").read_text()
    (folder / "gate.yml").write_text(text.replace("fail_under: 1.0", "fail_under: null"))
    return folder


@pytest.fixture(scope="module")
def finished(suite: Path) -> Path:
    """A run in which nothing passed."""
    done = gate("run", "--agent", "null", "--quiet", "--json", cwd=suite)
    assert done.code == 0, done.err
    return Path(done.report["run"]["folder"])


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of that run to edit."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


def rows_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "outcomes.jsonl").read_text().splitlines()]


def write_rows(run: Path, rows: list[dict[str, Any]]) -> None:
    (run / "outcomes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def each_row(change: dict[str, Any]) -> Edit:
    """Every row of a public or hidden canary with some values changed."""

    def edit(run: Path) -> None:
        write_rows(run, [row | change if row["slice"] != "canary" else row for row in rows_of(run)])

    return edit


def more_rows(change: dict[str, Any]) -> Edit:
    """Another row like the first, with some values changed."""

    def edit(run: Path) -> None:
        rows = rows_of(run)
        write_rows(run, [*rows, rows[0] | change])

    return edit


def no_evidence(run: Path) -> None:
    shutil.rmtree(run / "trials")


def other_evidence(run: Path) -> None:
    path = run / "trials" / "rename-helper-01" / "0" / "grade.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"status": "passed", "passed": True}))


def not_json(run: Path) -> None:
    with (run / "outcomes.jsonl").open("a") as journal:
        journal.write("[" * 100_000 + "\n")


def no_facts(run: Path) -> None:
    (run / "run.json").write_text('{"schema": 1}\n')


def nothing_asked(run: Path) -> None:
    (run / "asked.json").write_text('{"schema": 1}\n')


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (each_row({"passed": True}), "edited by hand"),
        (each_row({"passed": True, "status": "passed"}), "contradicts its evidence"),
        (each_row({"agent": "oracle"}), "agent"),
        (each_row({"agent_sha256": "0" * 64}), "digests"),
        (each_row({"tool_surface": "elsewhere"}), "tool_surface"),
        (each_row({"canary_sha256": "0" * 64}), "canary_sha256"),
        (more_rows({}), "counts once"),
        (more_rows({"seed": 57}), "no seed of this run"),
        (more_rows({"seed": -1}), "no seed of this run"),
        (more_rows({"seed": "0"}), "no seed of this run"),
        (more_rows({"id": "foreign-01"}), "not in the plan"),
        (no_evidence, "has no evidence"),
        (other_evidence, "contradicts its evidence"),
        (not_json, "outcomes.jsonl:4"),
        (no_facts, "run.json"),
        (nothing_asked, "asked.json"),
    ],
)
def test_a_row_that_the_run_cannot_answer_for_is_refused(suite: Path, run: Path, edit: Edit, named: str) -> None:
    """Rows that were edited, pasted, doubled or lost their evidence end with 64, and nothing more is run or changed."""
    edit(run)
    before = (run / "outcomes.jsonl").read_bytes()
    done = gate("run", "--resume", run, "--json", cwd=suite)
    assert done.code == 64, done.out + done.err
    assert named in done.err
    assert "Traceback" not in done.err
    assert (run / "outcomes.jsonl").read_bytes() == before


def test_a_row_that_is_gone_is_run_again(suite: Path, run: Path) -> None:
    """The control of this file: a run that lost a row ends with the rows that it had."""
    rows = stable_rows(run / "outcomes.jsonl")
    write_rows(run, rows_of(run)[1:])
    done = gate("run", "--resume", run, "--json", cwd=suite)
    assert done.code == 0, done.err
    assert stable_rows(run / "outcomes.jsonl") == rows


def test_a_resumed_run_keeps_what_it_was_asked_for(suite: Path, tmp_path: Path) -> None:
    """The threshold of the first command line holds on resuming without it, and another one is refused."""
    options = ("--agent", "null", "--fail-under", "0.9", "--out", tmp_path)
    first = gate("run", *options, "--quiet", "--json", "--config", suite / "gate.yml", cwd=tmp_path)
    assert first.code == 2, first.err
    folder = first.report["run"]["folder"]
    again = gate("run", "--resume", folder, "--json", cwd=tmp_path)
    assert again.code == 2, again.err
    assert again.report["policy"]["fail_under"] == "0.9"
    other = gate("run", "--resume", folder, "--fail-under", "0.1", cwd=tmp_path)
    assert other.code == 64
    assert "fail_under" in other.err


def test_a_second_process_does_not_disturb_the_first(suite: Path, tmp_path: Path) -> None:
    """Resuming a run that is still going on is refused, and no trial of it is lost to that."""
    arguments = ["run", "--agent", "oracle", "--seeds", "9", "--jobs", "1", "--quiet", "--out", str(tmp_path)]
    first = subprocess.Popen(
        [*COMMAND, *arguments], cwd=suite, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not list(tmp_path.glob("*/trials/*")):
        time.sleep(0.02)
    (folder,) = tmp_path.iterdir()
    second = gate("run", "--resume", folder, cwd=suite)
    assert first.poll() is None, "the first run ended before the second had a chance to disturb it"
    out, err = first.communicate(timeout=60)
    assert second.code == 64
    assert "another gate process" in second.err
    assert first.returncode == 0, out + err
    assert {row["status"] for row in rows_of(folder)} == {"passed", "failed"}


def test_only_folders_of_ours_are_tidied_away(suite: Path, run: Path, tmp_path: Path) -> None:
    """A run folder that names somebody else's folder as its scratch does not get it removed."""
    precious = tmp_path / "cg-precious"
    precious.mkdir()
    left = Path(tempfile.mkdtemp(prefix="cg-")).resolve()
    for scratch, survives in ((precious, True), (left, False)):
        (run / "scratch.path").write_text(str(scratch))
        assert gate("run", "--resume", run, "--json", cwd=suite).code == 0
        assert scratch.exists() is survives


@pytest.mark.parametrize("amount", ["nan", "inf", "-5", "0", "1e3"])
def test_a_budget_is_an_amount_of_money(suite: Path, amount: str) -> None:
    """A budget that bounds nothing is a usage error."""
    done = gate("run", f"--budget-usd={amount}", cwd=suite)
    assert done.code == 64
    assert "is not an amount" in done.err


def test_a_baseline_that_cannot_be_written_is_said_first(suite: Path, tmp_path: Path) -> None:
    """No trial is paid for where it is clear beforehand that no baseline comes of it."""
    nowhere = gate("run", "--write-baseline", "--out", tmp_path / "a", cwd=suite)
    assert nowhere.code == 64
    part = gate(
        "run", "--write-baseline", "--baseline", "b.json", "--slice", "public", "--out", tmp_path / "a", cwd=suite
    )
    assert part.code == 3
    assert not (tmp_path / "a").exists()
