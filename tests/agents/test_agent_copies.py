"""Agents on the copies that a run makes: plain or overlay, one after the other or at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gate.agents.controls import Oracle
from gate.outcome import AnswerStatus
from gate.sandbox.fence import Fence
from gate.workspace.copy import Copies
from gate.workspace.patch import Patch, diff
from gate.workspace.tree import write
from tests.agents.bench import Repo, loop, pytest_argv, tree_of
from tests.agents.test_standin_repair import BUDGET, STOCK


def _answered(fence: Fence, copies: Copies, fixture: Path, solution: Patch | None = None) -> tuple[Repo, Patch]:
    workspace = copies.open(fixture)
    try:
        repo = Repo(workspace.root, fence, workspace.base)
        task = replace(
            repo.task("Fix the failing test.", test_argv=pytest_argv("tests"), budget=BUDGET), overlay=workspace.overlay
        )
        answer = (loop() if solution is None else Oracle(lambda _: solution)).answer(task)
        assert answer.status is AnswerStatus.DONE, answer.reason
        return repo, diff(workspace.base, workspace.after().tree)
    finally:
        workspace.remove()


@pytest.fixture
def fixture(scratch: Path) -> Path:
    """A fixture folder with a defect."""
    root = scratch / "fixture"
    write(tree_of(STOCK), root)
    return root


def test_an_overlay_changes_nothing_for_an_agent(scratch: Path, fence: Fence, fixture: Path) -> None:
    """On an overlay the stand-in and the oracle do the same, and the same patch is read off, as on a plain copy."""
    if not fence.can_overlay:
        pytest.skip("this fence cannot mount an overlay")
    plain = Copies(scratch, owner=fence.owner, overlay=False)
    layered = Copies(scratch, owner=fence.owner, overlay=True, overlay_from=1)
    (one, patch), (other, same) = (_answered(fence, copies, fixture) for copies in (plain, layered))
    assert patch.paths() == ("stock/ledger.py",)
    assert same == patch
    assert other.trajectory() == one.trajectory()
    gone = diff(tree_of(STOCK), tree_of({"a/new.txt": "x\n"}))
    assert _answered(fence, layered, fixture, gone)[1] == gone


def test_trials_at_once_do_not_mix(scratch: Path, fence: Fence) -> None:
    """Four trials on one agent in four threads leave the bytes that each leaves alone."""
    agent = loop()

    def one(number: int) -> bytes:
        repo = Repo.laid(scratch, fence, STOCK, f"copy-{number}")
        answer = repo.answered(agent, "Fix the failing test.", test_argv=pytest_argv("tests"), budget=BUDGET)
        assert "all tests that I may run pass now" in answer.message
        return repo.trajectory()

    with ThreadPoolExecutor(4) as pool:
        trajectories = list(pool.map(one, range(4)))
    assert set(trajectories) == {one(9)}
