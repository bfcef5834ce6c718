"""Loops over written-down tables: their rows are taken out, and taking them out comes to an end."""

from __future__ import annotations

from gate.grading.bench import Bench
from gate.grading.observed import grade_pytest
from gate.suite.canary import RunnerTest
from tests.grading.bench import passes, tree

TESTS = """\
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
CALC = """\
def kind(value):
    if not isinstance(value, str):
        raise TypeError("no text")


def sizes(rows, also):
    return len(rows) + len(also)
"""


def test_a_table_whose_rows_can_be_changed_is_taken_out_once(bench: Bench) -> None:
    """Lists and dicts as rows of a loop stay names of the test, and an honest answer passes."""
    spec = RunnerTest("pytest", ("test_calc.py",))
    base = tree({"calc.py": CALC})
    assert passes(grade_pytest([spec], base, tree({"test_calc.py": TESTS}), base, bench, name="pytest", wall_s=20))
    wrong = tree({"calc.py": CALC.replace("raise TypeError", "return TypeError")})
    assert not passes(grade_pytest([spec], wrong, tree({"test_calc.py": TESTS}), base, bench, name="pytest", wall_s=20))
