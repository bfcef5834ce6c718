"""What the fence says of itself decides whether a grader may conclude anything."""

from __future__ import annotations

import dataclasses

import pytest

from gate.errors import HarnessBroken
from gate.grading.bench import NotGraded, held
from gate.sandbox.fence import Completed

GOOD = Completed(
    started=True,
    exit_code=0,
    timed_out=False,
    stdout=b"",
    stderr=b"",
    truncated=False,
    survivors=0,
    seconds=0.1,
    refusal="",
)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"started": False, "exit_code": None, "refusal": "no namespace"}, NotGraded),
        ({"exit_code": None, "refusal": "the sandbox was killed from outside"}, NotGraded),
        ({"survivors": 1}, HarnessBroken),
        ({"survivors": 2, "started": False}, HarnessBroken),
    ],
)
def test_a_fence_that_did_not_hold_proves_nothing(changes: dict[str, object], error: type[Exception]) -> None:
    """The machine's failures are unscored, and processes that outlived their fence break the run."""
    with pytest.raises(error):
        held(dataclasses.replace(GOOD, **changes), "the tests")  # type: ignore[arg-type]  # fields by name


@pytest.mark.parametrize("changes", [{}, {"exit_code": 1}, {"exit_code": 139}, {"timed_out": True, "exit_code": None}])
def test_what_the_code_under_test_did_is_for_the_grader(changes: dict[str, object]) -> None:
    """An exit code of its own, a crash and a timeout are results."""
    completed = dataclasses.replace(GOOD, **changes)  # type: ignore[arg-type]  # fields by name
    assert held(completed, "the tests") is completed
