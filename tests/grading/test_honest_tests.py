"""Tests as real projects write them, each of a kind that was once refused: an honest answer passes, a wrong one not."""

from __future__ import annotations

from time import process_time

import pytest

from gate.grading.bench import Bench
from gate.grading.draw import Draw
from gate.grading.observed import grade_pytest
from gate.grading.pyconfig import kept_settings
from gate.grading.rewrite import rewrite
from gate.suite.canary import RunnerTest
from tests.grading.bench import failing, passes, tree

CONFIGURATION = "[tool:pytest]\npython_classes = *Test Test*\naddopts = --collect-only\n"
SPEC = RunnerTest("pytest", ("test_calc.py",))

ROWS_THAT_CAN_CHANGE = """\
import unittest

from calc import kind, sizes


class Kinds(unittest.TestCase):
    def test_refused(self):
        for value in (4, None, [1, 2], {"a": 1}):
            self.assertRaises(TypeError, kind, value)

    def test_sizes(self):
        for rows in ([1], [2, 3]):
            for also in ([4], [5, 6]):
                self.assertEqual(sizes(rows, also), len(rows) + len(also))
"""

ERRORS_OF_ONE_TEST = """\
import pytest


def test_first():
    from calc import Refused, refuse
    with pytest.raises(Refused):
        refuse("no")


def test_second():
    from calc import Unknown, refuse
    with pytest.raises(Unknown):
        refuse("unknown")
"""

MUCH_TO_REPORT = """\
import pytest

from calc import padded


@pytest.fixture(params=["x" * 300_000])
def long(request):
    return request.param


def test_padded(long):
    for n in [int(digits) for digits in "0123456789" * 40]:
        assert padded(n) == long[:12_000] + str(n)
"""

CLASSES_BY_ANOTHER_NAME = """\
from calc import sizes, table


class SizesTest:
    def test_sizes(self):
        assert sizes([1], []) == 1

    def test_table(self):
        assert "int" in table()
        assert "float" not in table()
"""

CALC = """\
class Refused(Exception):
    pass


class Unknown(Exception):
    pass


def kind(value):
    if not isinstance(value, str):
        raise TypeError("no text")


def sizes(rows, also):
    return len(rows) + len(also)


def refuse(why):
    raise Unknown(why) if why == "unknown" else Refused(why)


def table():
    return {"int": int, "made": sizes}


def padded(n):
    return "x" * 12_000 + str(n)
"""


@pytest.mark.parametrize(
    ("tests", "right", "wrong"),
    [
        (ROWS_THAT_CAN_CHANGE, "raise TypeError", "return TypeError"),
        (ERRORS_OF_ONE_TEST, "raise Unknown(why)", "raise Refused(why)"),
        (CLASSES_BY_ANOTHER_NAME, '"int": int', '"float": int'),
        (MUCH_TO_REPORT, "+ str(n)", "+ str(n - n % 2)"),
    ],
    ids=[
        "lists as rows of a loop",
        "errors imported by one test",
        "a project's own names",
        "megabytes of observations",
    ],
)
def test_an_honest_answer_passes(bench: Bench, tests: str, right: str, wrong: str) -> None:
    """Rows that can be changed are taken out once, decoys are known where they stand, the project says which classes
    hold tests, a mapping may hold any object, and a session may say a lot."""
    base, hidden = tree({"calc.py": CALC, "setup.cfg": CONFIGURATION}), tree({"test_calc.py": tests})
    found = grade_pytest([SPEC], base, hidden, base, bench, name="pytest", wall_s=30)
    assert passes(found), failing(found.checks)
    other = {**base, **tree({"calc.py": CALC.replace(right, wrong)})}
    assert other != base
    assert not passes(grade_pytest([SPEC], other, hidden, base, bench, name="pytest", wall_s=30))


def test_a_conftest_finds_what_lies_beside_it(bench: Bench) -> None:
    """A listed test two folders down has the package and the data that its conftest reads."""
    base = tree(
        {
            "calc.py": CALC,
            "tests/__init__.py": "",
            "tests/given.py": "ONE = [1]\n",
            "tests/data/one.txt": "1",
            "tests/conftest.py": "from pathlib import Path\nimport pytest\nfrom . import given\n\n"
            "TEXT = (Path(__file__).parent / 'data' / 'one.txt').read_text()\n\n\n@pytest.fixture\ndef one():\n"
            "    return given.ONE * int(TEXT)\n",
            "tests/deep/__init__.py": "",
            "tests/deep/test_calc.py": "from calc import sizes\n\n\ndef test_sizes(one):\n"
            "    assert sizes(one, one) == 2\n",
        }
    )
    spec = RunnerTest("pytest", ("tests/deep/test_calc.py",))
    found = grade_pytest([spec], base, {}, base, bench, name="pytest", wall_s=30)
    assert passes(found), failing(found.checks)


def test_nothing_else_of_a_configuration_is_kept() -> None:
    """The first file with a section decides, as in pytest; what is no plain pattern is not written anywhere."""
    first = {"pytest.ini": "[pytest]\naddopts = -x\n", "setup.cfg": CONFIGURATION}
    table = '[tool.pytest.ini_options]\npython_classes = ["*Test", "Check*"]\n'
    for files, kept in (
        ({}, b"[pytest]\n"),
        (first, b"[pytest]\n"),
        ({"setup.cfg": CONFIGURATION}, b"[pytest]\npython_classes = *Test Test*\n"),
        ({"pyproject.toml": table, "setup.cfg": CONFIGURATION}, b"[pytest]\npython_classes = *Test Check*\n"),
        ({"pyproject.toml": table.replace("Check*", "A\\naddopts = -x")}, b"[pytest]\n"),
        ({"tox.ini": "no section", "pyproject.toml": "=", "setup.cfg": "[tool:pytest]\n"}, b"[pytest]\n"),
    ):
        assert kept_settings(tree(files)) == kept


def test_loops_within_loops_do_not_stall_the_rewriting() -> None:
    """Tables multiply: past a bound a loop stays as it is, and the parent is done in seconds."""
    table = ", ".join(map(str, range(400)))
    source = f"def test_a():\n    for a in [{table}]:\n        for b in [{table}]:\n            assert f(a, b) == 5\n"
    started = process_time()
    made = rewrite(source.encode(), "test_x.py", "observer", Draw(b"", "x"))
    assert process_time() - started < 20
    assert made.counts["held"]
