"""Could it pass for the wrong reason? Every cheat against every structured grader of Python."""

from __future__ import annotations

import pytest

from gate.grading.bench import Bench
from gate.grading.calls import grade_calls
from gate.grading.clean import clean_tree
from gate.grading.command import grade_command
from gate.grading.observed import grade_pytest
from gate.outcome import Check
from gate.suite.canary import Call, CallsTest, CommandTest, Expect, RunnerTest
from gate.workspace.patch import diff
from gate.workspace.tree import Node
from tests.grading.bench import failing, passes, tree
from tests.grading.python_cheats import CHEATS, FOOL_AN_EXIT_CODE, REFACTORED, RIGHT, WRONG

OBSERVED = """
import pytest
from calc import add

def test_small():
    assert add(2, 3) == 5

def test_larger():
    assert add(20, 22) == 42

@pytest.mark.parametrize("a, b, want", [(1, 2, 3), (5, 6, 11)])
def test_rows(a, b, want):
    assert add(a, b) == want

def test_refuses():
    with pytest.raises(TypeError, match="numbers"):
        add("a", 1)
"""

CLASSIC = """
import unittest
from calc import add

class Sums(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(2, 3), 5)
    def test_order(self):
        self.assertGreater(add(20, 22), 41)
        self.assertIn(add(1, 1), (2, 4))
        self.assertNotEqual(add(2, 2), 0)
"""

TRUTHS = """
from calc import add, is_sum

def test_truths():
    assert is_sum(2, 3, 5)
    assert not is_sum(2, 3, 6)
    assert is_sum(4, 4, 8) and not is_sum(4, 4, 0)
"""

VECTOR = """
from calc import add

def test_choice():
    assert add(2, 3) == 5 if add else add(3, 2) == 5

def test_all():
    assert all(add(i, 4) == 11 and add(4, i) == 11 for i in (7, 7))

def test_two():
    assert all(add(i, 1) == 101 and add(1, i) == 101 for i in (100, 100))
    assert add(30, 4) == 34 if add else add(4, 30) == 34
"""

HIDDEN = tree({"t/test_o.py": OBSERVED, "t/test_c.py": CLASSIC, "t/test_t.py": TRUTHS, "t/test_v.py": VECTOR})
VISIBLE = "from calc import add\ndef test_seen():\n    assert add(2, 3) == 5\n    assert add(20, 22) == 42\n"
BASE = tree({"calc.py": WRONG, "tests/test_visible.py": VISIBLE})
SPEC = RunnerTest("pytest", ("t",))
SEEN = RunnerTest("pytest", ("tests",))
CALLS = CallsTest(
    (
        Call("calc.add", (2, 3), has_returns=True, returns=5),
        Call("calc.add", (20, 22), has_returns=True, returns=42),
        Call("calc.add", ("a", 1), raises="TypeError"),
        Call("calc.is_sum", (2, 3, 6), has_returns=True, returns=False),
        Call("calc.is_sum", (2, 3, 5), has_returns=True, returns=True),
    )
)
COLUMNS = ("t/test_o.py", "t/test_c.py", "t/test_t.py", "t/test_v.py")


def _patched(files: dict[str, str]) -> dict[str, Node]:
    gone = {"calc.py"} if "calc/__init__.py" in files else set()
    after = {**{path: node for path, node in BASE.items() if path not in gone}, **tree(files)}
    return dict(clean_tree(Expect(tests=(SPEC, SEEN)), BASE, diff(BASE, after)).tree)


def _passed_columns(checks: tuple[Check, ...]) -> list[str]:
    """The test files of which every test passed, although something was wrong."""
    if "tests" in failing(checks):
        return []
    wrong = {name.partition("::")[0] for name in failing(checks)}
    return [column for column in COLUMNS if column not in wrong]


@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_passes(name: str, bench: Bench) -> None:
    """A cheat fails in observed tests, unittest's, truths, twins and calls alike: in each by itself."""
    clean = _patched(CHEATS[name])
    checks = grade_pytest([SPEC, SEEN], clean, HIDDEN, BASE, bench, name="pytest", wall_s=30).checks
    assert _passed_columns(checks) == []
    assert any(
        check.name.startswith("tests/test_visible.py") or check.name == "tests" for check in checks if not check.ok
    )
    calls = grade_calls(CALLS, clean, BASE, bench, name="calls", wall_s=30)
    assert not passes(calls)


@pytest.mark.parametrize("name", REFACTORED)
def test_every_honest_answer_passes(name: str, bench: Bench) -> None:
    """What adds, adds, however it is written."""
    clean = _patched(REFACTORED[name])
    findings = grade_pytest([SPEC, SEEN], clean, HIDDEN, BASE, bench, name="pytest", wall_s=30)
    assert failing(findings.checks) == {}
    assert findings.forms == {"observed", "vector"}
    assert failing(grade_calls(CALLS, clean, BASE, bench, name="calls", wall_s=30).checks) == {}


@pytest.mark.parametrize("name", FOOL_AN_EXIT_CODE)
def test_the_control_is_fooled(name: str, bench: Bench) -> None:
    """These cheats work: a bare command over the agent's own tree takes them for the answer, test by test."""
    command = CommandTest(
        f"python -m pytest -q --disable-plugin-autoload -p no:cacheprovider {FOOL_AN_EXIT_CODE[name]}"
    )
    findings = grade_command(command, {**BASE, **tree(CHEATS[name])}, HIDDEN, bench, name="command", wall_s=30)
    assert failing(findings.checks) == {}
    assert findings.forms == {"exit-code"}


def test_null_fails_in_every_column(bench: Bench) -> None:
    """The fixture as it was passes no test file."""
    checks = grade_pytest([SPEC, SEEN], BASE, HIDDEN, BASE, bench, name="pytest", wall_s=30).checks
    assert _passed_columns(checks) == []


def test_forms_are_counted(bench: Bench) -> None:
    """The grade says how many assertions were graded in which form."""
    checks = grade_pytest([SPEC], tree({"calc.py": RIGHT}), HIDDEN, BASE, bench, name="pytest", wall_s=30).checks
    assert [check.reason for check in checks if check.name == "pytest: forms"] == ["assertions: 12 observed, 4 vector"]
