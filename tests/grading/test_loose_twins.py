"""A twin that holds with the known answer too tells nothing: it is dropped and counted, and the rest still decides."""

from __future__ import annotations

from gate.grading.bench import Bench
from gate.grading.observed import grade_pytest
from gate.outcome import Check
from gate.suite.canary import RunnerTest
from gate.workspace.tree import Tree
from tests.grading.bench import failing, tree

RIGHT = tree({"code_.py": "def odd(n):\n    return n % 2 == 1\ndef add(a, b):\n    return a + b\n"})
WRONG = tree({"code_.py": "def odd(n):\n    return True\ndef add(a, b):\n    return 7\n"})
# The second condition takes a branch that compares nothing, so no constant in it can fail.
HIDDEN = tree(
    {
        "test_x.py": "from code_ import add, odd\n"
        "def test_a():\n    assert add(2, 1) == 3\n"
        "    assert all(add(n, n) == 5 for n in []) if odd(1) else add(1, 1) == 2\n"
    }
)
SPEC = [RunnerTest("pytest", ("test_x.py",))]


def _checks(answer: Tree, golden: Tree | None, bench: Bench) -> tuple[Check, ...]:
    return grade_pytest(SPEC, answer, HIDDEN, WRONG, bench, name="t", wall_s=30, golden=golden).checks


def test_a_twin_that_cannot_fail_does_not_condemn_the_right_answer(bench: Bench) -> None:
    """It is dropped because of the known answer, and the grade says how many were."""
    checks = _checks(RIGHT, RIGHT, bench)
    assert failing(checks) == {}
    assert [check.reason for check in checks if check.name == "t: twins"] == [
        "3 twins do not fail on the known answer either and were dropped"
    ]


def test_without_a_known_answer_nothing_is_dropped(bench: Bench) -> None:
    """Nobody else may say that a control is no control."""
    assert failing(_checks(RIGHT, None, bench)) != {}


def test_the_other_assertions_still_decide(bench: Bench) -> None:
    """A wrong answer does not profit from the twins that were dropped."""
    assert failing(_checks(WRONG, RIGHT, bench)) != {}
