"""`gate run` on the shipped suite, with the controls and the default agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.gate_process import ROOT, Finished, gate, stable_rows


@pytest.fixture(scope="module", params=["oracle", "null", "stand-in"])
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Finished, Path]:
    """One whole run of the shipped suite for each agent."""
    out = tmp_path_factory.mktemp("runs")
    return request.param, gate("run", "--agent", request.param, "--json", "--out", out), out


def passed_of(report: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Passed and measured by slice."""
    return {name: (part["passed"], part["n"]) for name, part in report["slices"].items()}


EXPECTED = {
    "oracle": {"public": (8, 8), "hidden": (8, 8), "canary": (0, 6)},
    "null": {"public": (0, 8), "hidden": (0, 8), "canary": (0, 6)},
}


def test_the_controls_bracket_the_suite(finished: tuple[str, Finished, Path]) -> None:
    """The oracle passes every public and hidden canary, the null agent none, and nobody springs a trap."""
    agent, done, _ = finished
    found = passed_of(done.report)
    if agent in EXPECTED:
        assert found == EXPECTED[agent], done.report["canaries"]
    else:
        assert found["canary"] == (0, 6)
        assert 0 < found["public"][0] < 8
        assert 0 < found["hidden"][0] < 8


def test_the_gate_is_clear(finished: tuple[str, Finished, Path]) -> None:
    """Every exploit came out as it must and nothing was left unmeasured, so the exit code is 0."""
    _, done, _ = finished
    assert done.code == 0, done.out + done.err
    assert done.report["verdict"] == "clear"
    assert done.report["unscored"] == 0
    assert all(result["ok"] is True for result in done.report["run"]["exploits"])


def test_every_trial_left_its_evidence(finished: tuple[str, Finished, Path]) -> None:
    """Each row points to a folder with the patch, the message and the grade."""
    _, done, _ = finished
    folder = Path(done.report["run"]["folder"])
    rows = [json.loads(line) for line in (folder / "outcomes.jsonl").read_text().splitlines()]
    assert len(rows) == 22
    for row in rows:
        trial = folder / row["trial"]
        assert {"patch.diff", "message.txt", "grade.json"} <= {path.name for path in trial.iterdir()}
        assert json.loads((trial / "grade.json").read_text())["status"] == row["status"]


def test_check_says_the_same_of_the_rows(finished: tuple[str, Finished, Path]) -> None:
    """`gate check` on the run's own rows, with the same policy, comes to the same verdict and counts."""
    _, done, _ = finished
    rows = Path(done.report["run"]["folder"]) / "outcomes.jsonl"
    again = gate("check", rows, "--config", "gate.yml", "--json")
    assert again.code == done.code
    assert again.report["slices"] == done.report["slices"]


def test_two_runs_of_one_commit_give_the_same_bytes(finished: tuple[str, Finished, Path]) -> None:
    """Sorted and without times, the rows of a second run are the rows of the first, whatever else runs beside them."""
    agent, done, out = finished
    # All but the hard ones, which take the stand-in as long as the others together.
    slow = {"bugfix-postroom", "bugfix-loanclub", "bugfix-menuboard", "bugfix-stockroom", "trap-inconsistent-oracle"}
    first = Path(done.report["run"]["folder"]) / "outcomes.jsonl"
    before = {json.loads(row)["id"]: row for row in stable_rows(first)}
    chosen = [f"--canary={name}" for name in before.keys() - slow]
    again = gate("run", "--agent", agent, "--json", "--out", out, "--jobs", 1, *chosen)
    second = Path(again.report["run"]["folder"]) / "outcomes.jsonl"
    assert stable_rows(second) == [row for name, row in before.items() if name not in slow]


@pytest.mark.parametrize("finished", ["stand-in"], indirect=True)
def test_the_readme_shows_what_a_run_prints(finished: tuple[str, Finished, Path]) -> None:
    """The README's counts, prompt and statement are those of a run of this commit by the default agent."""
    _, done, _ = finished
    readme = (ROOT / "README.md").read_text()
    shown = readme[readme.index("<!-- run:begin -->") : readme.index("<!-- run:end -->")]
    report = done.report
    public, hidden = report["slices"]["public"], report["slices"]["hidden"]
    assert f"public    {public['passed']}/{public['n']} " in shown
    assert f"hidden    {hidden['passed']}/{hidden['n']} " in shown
    assert report["run"]["prompt_sha256"][0][:12] in shown
    assert " ".join(report["statement"].split()) in " ".join(shown.split())
