"""The columns of the matrix: which grader, of which kind, on which toy."""

from __future__ import annotations

from dataclasses import dataclass

from gate.audit.naive import (
    RUN_NODE,
    RUN_OWN_NODE,
    RUN_OWN_PYTEST,
    RUN_PYTEST,
    AllInJunit,
    Naive,
    NoneFailed,
    Runs,
    exit_code,
    passed_in_tap,
    passed_on_stdout,
    reward_in_file,
)
from gate.audit.targets import javascript, python
from gate.audit.targets.toy import Toy
from gate.grading.grade import Graders, graded

_MORE = ("test_total_more", "test_label_more", "test_merged_more", "test_withdraw_more")
_NODE_MORE = ("total more", "label more", "merged more", "withdraw more")


@dataclass(frozen=True, slots=True)
class Grader:
    """A column to be measured."""

    name: str
    kind: str
    toy: Toy
    grade: Graders


def shipped(graders: Graders = graded) -> tuple[Grader, ...]:
    """The ways in which our own graders work, the strongest first. Others may be handed in, to see that it is said."""
    return (
        Grader("calls (python)", "structured", python.CALLS, graders),
        Grader("observed (pytest)", "structured", python.OBSERVED, graders),
        Grader("observed (unittest)", "structured", python.UNITTEST, graders),
        Grader("calls (node)", "structured", javascript.CALLS, graders),
        Grader("observed (node)", "structured", javascript.OBSERVED, graders),
        Grader("vector (pytest)", "vector", python.VECTOR, graders),
        Grader("vector (node, sentinels only)", "vector", javascript.SENTINELS, graders),
        Grader("exit code (python -m pytest)", "exit-code", python.COMMAND_PYTEST, graders),
        Grader("exit code (python -m unittest)", "exit-code", python.COMMAND_UNITTEST, graders),
        Grader("exit code (plain script)", "exit-code", python.COMMAND_SCRIPT, graders),
        Grader("exit code (bare command)", "exit-code", python.COMMAND_BARE, graders),
        Grader("exit code (script with a clock)", "exit-code", python.COMMAND_CLOCK, graders),
        Grader("exit code (node --test)", "exit-code", javascript.COMMAND_TEST, graders),
        Grader("exit code (node script)", "exit-code", javascript.COMMAND_SCRIPT, graders),
        Grader("exit code (node script with a tolerance)", "exit-code", javascript.COMMAND_NEAR, graders),
        Grader("exit code (node script with a clock)", "exit-code", javascript.COMMAND_CLOCK, graders),
    )


def naive() -> tuple[Grader, ...]:
    """Designs in use elsewhere, on the toys whose tests are ordinary ones."""
    pytest, own_pytest = Runs(RUN_PYTEST), Runs(RUN_OWN_PYTEST, hidden=False)
    node, own_node = Runs(RUN_NODE), Runs(RUN_OWN_NODE, hidden=False)
    toy, script = python.OBSERVED, javascript.OBSERVED
    return (
        Grader("naive: own tree", "naive", toy, Naive(pytest, exit_code)),
        Grader('naive: "N passed" on stdout', "naive", toy, Naive(pytest, passed_on_stdout)),
        Grader("naive: JUnit has all ids", "naive", toy, Naive(pytest, AllInJunit(_MORE))),
        Grader("naive: no expected test failed", "naive", toy, Naive(pytest, NoneFailed(_MORE))),
        Grader("naive: own tests", "naive", toy, Naive(own_pytest, exit_code)),
        Grader("naive: a file in the tree", "naive", toy, Naive(own_pytest, reward_in_file)),
        Grader("naive: own tree (node --test)", "naive", script, Naive(node, exit_code)),
        Grader('naive: "# pass N" on stdout (node)', "naive", script, Naive(node, passed_in_tap)),
        Grader("naive: no expected test failed (node)", "naive", script, Naive(node, NoneFailed(_NODE_MORE))),
        Grader("naive: own tests (node --run test)", "naive", script, Naive(own_node, exit_code)),
        Grader("naive: a file in the tree (node)", "naive", script, Naive(own_node, reward_in_file)),
    )
