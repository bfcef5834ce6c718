"""One trial, with agents that end in ways that no shipped agent does."""

from __future__ import annotations

import argparse
import dataclasses
import os
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gate.agents.base import Task
from gate.commands import run as run_verb
from gate.commands.opening import opened
from gate.commands.settings import settle
from gate.errors import HarnessBroken
from gate.outcome import Answer, AnswerStatus, Outcome, Status
from gate.suite.canary import Canary
from gate.trials.folder import RunFolder
from gate.trials.stand import Stand
from gate.trials.trial import run_trial
from tests.commands.gate_process import gate

Act = Callable[[Task], Answer]


@dataclass(frozen=True, slots=True)
class Scripted:
    """An agent that does what a test says."""

    act: Act
    name: str = "scripted"
    digest: str = "0" * 64

    def answer(self, task: Task) -> Answer:
        """Do it."""
        return self.act(task)


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    """An open run of the scaffold."""
    folder = tmp_path_factory.mktemp("suite")
    assert gate("init", folder).code == 0
    parser = argparse.ArgumentParser()
    run_verb.configure(parser)
    arguments = parser.parse_args(["--config", str(folder / "gate.yml"), "--agent", "null"])
    settings = settle(arguments, {})
    with opened(settings, RunFolder.create(folder / "runs", "scripted", datetime.now(UTC))) as ready:
        yield ready


def canary_of(stand: Stand, name: str) -> Canary:
    """A canary of the scaffold by id."""
    return next(canary for canary in stand.suite.canaries if canary.id == name)


def trial(stand: Stand, act: Act, name: str = "rename-helper-01") -> tuple[Outcome, Path]:
    """Run one trial with a scripted agent; the row, and where its evidence lies."""
    outcome = run_trial(canary_of(stand, name), 0, dataclasses.replace(stand, agent=Scripted(act)))
    return outcome, stand.folder.root / outcome.trial


DONE = Answer(AnswerStatus.DONE)


def solved(task: Task) -> Answer:
    """The right answer, written straight into the copy."""
    for path in task.copy.rglob("*.py"):
        if "tests" not in path.parts:
            text = path.read_text().replace("total(", "total_price(")
            path.write_text(text.replace("import total", "import total_price"))
    return DONE


def also(first: Act, second: Callable[[Path], object]) -> Act:
    """The first act, and then something in the copy."""

    def act(task: Task) -> Answer:
        answer = first(task)
        second(task.copy)
        return answer

    return act


def leave_socket(copy: Path) -> None:
    """A socket file, as a dev server leaves it. Bound by a relative name, since a socket's path is short."""
    before = Path.cwd()
    os.chdir(copy)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("s.sock")
    finally:
        os.chdir(before)


def leave_terabyte(copy: Path) -> None:
    """A file without blocks that claims a size which no harness should read."""
    with (copy / "huge").open("wb") as file:
        file.truncate(1 << 40)


def test_the_scripted_answer_passes(stand: Stand) -> None:
    """The control of this file: the right answer, and nothing else, passes."""
    outcome, _ = trial(stand, solved)
    assert outcome.status is Status.PASSED, outcome.reasons


@pytest.mark.parametrize(
    "leave",
    [
        lambda copy: os.mkfifo(copy / "pipe"),
        leave_socket,
        leave_terabyte,
    ],
    ids=["fifo", "socket", "sparse terabyte"],
)
def test_what_cannot_be_read_does_not_pass_and_does_not_hang(stand: Stand, leave: Callable[[Path], object]) -> None:
    """A right answer beside something that is no readable file is a failure that says so."""
    outcome, evidence = trial(stand, also(solved, leave))
    assert outcome.status is Status.FAILED
    assert any(reason.startswith("copy: ") for reason in outcome.reasons), outcome.reasons
    assert (evidence / "oddities.txt").is_file()


def test_a_trap_beside_something_unreadable_was_not_exercised(stand: Stand) -> None:
    """A trap that was not sprung is no failed trap when part of the copy could not be read."""
    outcome, _ = trial(stand, also(lambda _task: DONE, lambda copy: os.mkfifo(copy / "pipe")), "missing-module-01")
    assert outcome.status is Status.INVALID
    assert not outcome.scored


def test_a_crash_of_an_agent_is_unscored_with_its_traceback_kept(stand: Stand) -> None:
    """A bug of ours is neither a pass nor a failure, and takes nothing else with it."""

    def act(_task: Task) -> Answer:
        raise RuntimeError("a bug")

    outcome, evidence = trial(stand, act)
    assert outcome.status is Status.ERROR
    assert "RuntimeError: a bug" in (evidence / "crash.txt").read_text()
    assert (evidence / "grade.json").is_file()


def test_a_broken_harness_ends_the_run(stand: Stand) -> None:
    """What says that nothing can be trusted is not turned into one unscored row."""

    def act(_task: Task) -> Answer:
        raise HarnessBroken("the overlay lies")

    with pytest.raises(HarnessBroken):
        trial(stand, act)


@pytest.mark.parametrize(
    ("answered", "status"),
    [
        (AnswerStatus.OVER_BUDGET, Status.OVER_BUDGET),
        (AnswerStatus.TIMEOUT, Status.TIMEOUT),
        (AnswerStatus.ERROR, Status.ERROR),
    ],
)
def test_how_the_agent_stopped_decides_before_the_patch(stand: Stand, answered: AnswerStatus, status: Status) -> None:
    """A right patch does not pass when its trial was over budget, out of time, or cut off by the machine."""

    def act(task: Task) -> Answer:
        solved(task)
        return Answer(answered, reason="stopped")

    assert trial(stand, act)[0].status is status
