"""A rewritten test file observes, and holds nothing of what was expected."""

from __future__ import annotations

import ast
import re

import pytest

from gate.grading.draw import Draw
from gate.grading.rewrite import Rewritten, UnreadableTest, rewrite


def _rewritten(source: str, seed: str = "") -> Rewritten:
    return rewrite(source.encode(), "t.py", "observer", Draw(seed.encode(), "label"))


TAKEN_OUT = {
    "equality": "def test(): assert f(1) == 7777",
    "literal first": "def test(): assert 7777 == f(1)",
    "inequality": "def test(): assert f(1) != 7777",
    "order": "def test(): assert f(1) < 7777",
    "chain": "def test(): assert 7776 < f(1) <= 7777",
    "membership": "def test(): assert f(1) in (7776, 7777)",
    "contains": "def test(): assert 7777 in f(1)",
    "not": "def test(): assert not f(1) == 7777",
    "and": "def test(): assert f(1) == 7777 and g(1) == 7776",
    "nested": "def test(): assert f(1) == {'a': [7777, (7776, {7775})]}",
    "negative": "def test(): assert f(1) == -7777",
    "arithmetic": "def test(): assert f(1) == 7777 * 2 + 1",
    "approx": "import pytest\ndef test(): assert f(1) == pytest.approx(7777, rel=0.5)",
    "approx inside": "from pytest import approx\ndef test(): assert f(1) == [approx(7777), 1]",
    "startswith": "def test(): assert f(1).startswith('7777')",
    "said in words": "def test():\n    '''It is 7777.'''\n    assert f(1) == 7777",
    "a distance": "def test(): assert abs(f(1) - 7777) < 0.5",
    "a distance the other way": "import math\ndef test(): assert 0.5 >= math.fabs(7777 - f(1))",
    "a distance in every row": "def test(): assert all(abs(f(i) - 7777) < 1 for i in range(3))",
    "isclose": "import math\ndef test(): assert math.isclose(f(1), 7777, abs_tol=1)",
    "not isclose": "from math import isclose\ndef test(): assert not isclose(7777, f(1))",
    "turns of a range": "def test():\n    for i in range(2, 4):\n        assert f(i) == i + 7770",
    "turns of a zip": "def test():\n    for a, b in zip((1, 2), [7776, 7777]):\n        assert f(a) == b",
    "numbered turns": "def test():\n    for at, want in enumerate([7776, 7777]):\n        assert f(at) == want",
    "constructor": "def test(): assert f(1) == set([7777])",
    "local": "def test():\n    want = 7777\n    got = f(1)\n    assert got == want",
    "local list": "def test():\n    want = [7777]\n    assert f(1) == want",
    "local by local": "def test():\n    one = 7777\n    want = [one, one]\n    assert f(1) == want",
    "module constant": "WANT = [7777]\ndef test(): assert f(1) == WANT\ndef test_b(): assert g(1) == WANT",
    "rows": "import pytest\n@pytest.mark.parametrize('a, want', [(1, 7777), (2, 7776)])\n"
    "def test(a, want): assert f(a) == want",
    "rows in param": "import pytest\n@pytest.mark.parametrize('a, want', [pytest.param(1, 7777, id='x')])\n"
    "def test(a, want): assert f(a) == want",
    "rows under a name": "import pytest\nROWS = [(1, 7777)]\n@pytest.mark.parametrize('a, want', ROWS)\n"
    "def test(a, want): assert f(a) == want",
    "stacked rows": "import pytest\n@pytest.mark.parametrize('a', [1, 2])\n"
    "@pytest.mark.parametrize('want', [7777])\ndef test(a, want): assert f(a) == want",
    "loop": "def test():\n    for a, want in [(1, 7777), (2, 7776)]:\n        assert f(a) == want",
    "loop over a name": "ROWS = ((1, 7777),)\ndef test():\n    for a, want in ROWS:\n        assert f(a) == want",
    "loop over a dict": "def test():\n    for a, want in {1: 7777}.items():\n        assert f(a) == want",
    "loop with subTest": "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
    "        for a, want in [(1, 7777)]:\n            with self.subTest(a=a):\n"
    "                self.assertEqual(f(a), want)",
    "or": "def test(): assert f(1) == 7777 or f(1) == 7776",
    "all": "def test(): assert all(f(i) == 7777 for i in range(3))",
    "any": "def test(): assert any([7777 == f(i) for i in x])",
    "not any": "def test(): assert not any(f(i) == 7777 for i in (1, 2))",
    "assertEqual": "class TestX:\n    def test(self): self.assertEqual(f(1), 7777)",
    "assertIn": "class TestX:\n    def test(self): self.assertIn(7777, f(1))",
    "assertAlmostEqual": "class TestX:\n    def test(self): self.assertAlmostEqual(f(1), 7777, places=3)",
    "assertCountEqual": "class TestX:\n    def test(self): self.assertCountEqual(f(1), [7777, 7776])",
    "assertRegex": "class TestX:\n    def test(self): self.assertRegex(f(1), '7777')",
    "assertTrue of a comparison": "class TestX:\n    def test(self): self.assertTrue(f(1) == 7777)",
    "raises with match": "import pytest\ndef test():\n    with pytest.raises(ValueError, match='7777'): f(1)",
    "assertRaisesRegex": "class TestX:\n    def test(self):\n"
    "        with self.assertRaisesRegex(ValueError, '7777'): f(1)",
    "text of an exception": "import pytest\ndef test():\n    with pytest.raises(ValueError) as e: f(1)\n"
    "    assert str(e.value) == '7777'",
}


@pytest.mark.parametrize("name", TAKEN_OUT)
def test_expected_literals_leave_the_file(name: str) -> None:
    """No expected constant is left in the source that runs beside the code under test."""
    made = _rewritten(TAKEN_OUT[name])
    assert not re.search(r"\b777[0-9]\b|ValueError", made.source), made.source
    assert made.counts["observed"] == sum(made.counts.values()) > 0


STAY = {
    "an input": ("def test(): assert f(7777) == 1", "observed"),
    "a list changed after": (
        "def test():\n    want = [7777]\n    want.append(f(1))\n    assert want == [1, 2]",
        "observed",
    ),
    "a value from elsewhere": ("def test(expected): assert f(1) == expected", "held"),
    "two calls": ("def test(): assert f(7777) == g(7777)", "held"),
    "a condition": ("def test(): assert f(7777).ready()", "observed"),
    "an instance": ("def test(): assert isinstance(f(7777), str)", "held"),
    "a verdict beside a literal": ("def test(): assert same(f(1), 7777)", "held"),
    "a verdict on an answer": ("def test(): assert f(g(7777))", "observed"),
    "all of who knows how many": ("def test(): assert all(f(i, 7777) == 1 for i in x)", "held"),
    "none of who knows how many": ("def test(): assert not any(f(i, 7777) == 1 for i in x)", "held"),
    "a loop over who knows what": ("def test():\n    for i in x:\n        assert f(i, 7777) == 1", "held"),
    "a branch": ("def test():\n    if x:\n        assert f(7777) == 1", "held"),
    "after a way out": ("def test():\n    if x:\n        return\n    assert f(7777) == 1", "held"),
    "after a way out of another": ("def test():\n    def g(): return 7777\n    assert f(g) == 1", "observed"),
    "a distance from elsewhere": ("def test(): assert abs(f(7777) - y) < 1", "held"),
    "a distance in rows": ("def test(): assert all(abs(f(a) - b) < 1 for a, b in [(1, 7777)])", "held"),
    "an either with an unknown": ("def test(): assert f(1) is None or f(1) == 7777", "held"),
    "a mock's own assertion": ("def test(): mock.assert_called_once_with(7777)", "held"),
    "identity with an object": ("def test(): assert f(7777) is SENTINEL", "held"),
}


@pytest.mark.parametrize("name", STAY)
def test_what_cannot_be_taken_out_is_counted_so(name: str) -> None:
    """The form of an assertion is the weakest that any part of it has."""
    source, form = STAY[name]
    made = _rewritten(source)
    assert "7777" in made.source or "expected" in made.source
    assert dict(made.counts) == {form: 1}


def test_a_list_that_is_changed_is_no_literal() -> None:
    """An expected list that the test itself changes is compared as it is then."""
    made = _rewritten("def test():\n    want = [1]\n    want.append(2)\n    assert f(0) == want")
    assert "want.append(2)" in made.source
    assert dict(made.counts) == {"held": 1}


VECTORS = {
    "all of two": "def test(): assert all(f(i) == 4242 and g(i) == 4243 for i in range(3))",
    "choice": "def test(): assert (f(1) == 4242 if g(1) else f(1) == 4243)",
    "text": "def test(): assert f(1) == 'abc' if g(1) else f(1) == 'abd'",
}


@pytest.mark.parametrize("name", VECTORS)
def test_other_constants_become_twins(name: str) -> None:
    """Four versions of the test, of which one is expected to be true, under drawn names."""
    made = _rewritten(VECTORS[name])
    versions = [version for version in made.versions.values() if version.test]
    assert len(versions) == 4
    assert len({version.group for version in versions}) == 1
    truths = [site.expectation.expected for site in made.sites.values()]  # type: ignore[attr-defined]
    assert sorted(truths) == [False, False, False, True]
    assert dict(made.counts) == {"vector": 1}


def test_sentinels_stand_in_every_file() -> None:
    """One test that must pass and one that must fail, under names like the others'."""
    made = _rewritten("import os\ndef test(): pass")
    names = {node.name for node in ast.parse(made.source).body if isinstance(node, ast.FunctionDef)}
    assert {made.passing, made.failing} < names
    assert len(names) == 3
    assert all(re.fullmatch(r"test_n[0-9a-f]{16}", name) for name in names)
    assert made.bare == 1


def test_names_follow_from_the_entropy() -> None:
    """The same entropy draws the same names, another one draws others."""
    source = TAKEN_OUT["rows"]
    assert _rewritten(source, "a").source == _rewritten(source, "a").source
    one, other = _rewritten(source, "a"), _rewritten(source, "b")
    assert not one.sites.keys() & other.sites.keys()
    assert not one.versions.keys() & other.versions.keys()


ROWS = {
    "plain": ("'a, b', [(1, 'x'), (2, 'y')]", ["[1-x]", "[2-y]"]),
    "list of names": ("['a', 'b'], [(1, None), (2.5, True)]", ["[1-None]", "[2.5-True]"]),
    "containers": ("'a', [[1], {2}]", ["[a0]", "[a1]"]),
    "ids": ("'a', [1, 2], ids=['one', None]", ["[one]", "[2]"]),
    "param": ("'a', [pytest.param(1, id='first'), 2]", ["[first]", "[2]"]),
    "twice": ("'a', ['x', 'x']", ["[x0]", "[x1]"]),
    "negative": ("'a', [-1]", ["[-1]"]),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_have_the_ids_that_pytest_gives(name: str) -> None:
    """A row that was taken out of its table keeps its id."""
    table, wanted = ROWS[name]
    source = (
        f"import pytest\n@pytest.mark.parametrize({table})\ndef test_it({'a, b' if 'b' in table else 'a'}): assert a"
    )
    made = _rewritten(source)
    assert [version.suffix for version in made.versions.values() if version.test] == wanted


LEFT_ALONE = {
    "marks": "'a', [pytest.param(1, marks=pytest.mark.skip)]",
    "indirect": "'a', [1], indirect=True",
    "computed": "'a', range(3)",
    "starred": "'a', [*ROWS]",
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_a_table_that_cannot_be_read_stays(name: str) -> None:
    """pytest makes the rows itself then."""
    made = _rewritten(f"import pytest\n@pytest.mark.parametrize({LEFT_ALONE[name]})\ndef test_it(a): assert f(a) == 1")
    assert "parametrize" in made.source
    assert [version.suffix for version in made.versions.values() if version.test] == [""]


@pytest.mark.parametrize("source", [b"def test(:", b"\x00", b"assert " + b"(" * 3000 + b"1" + b")" * 3000])
def test_what_does_not_parse_is_said(source: bytes) -> None:
    """A test file that is no Python is the canary's fault, by name."""
    with pytest.raises(UnreadableTest, match=r"^t\.py: "):
        rewrite(source, "t.py", "observer", Draw(b"", ""))


def test_a_hostile_expression_does_not_end_the_harness() -> None:
    """Thousands of nested operators are refused, not crashed on."""
    source = "def test(): assert f(1) == " + "-" * 5000 + "1"
    with pytest.raises(UnreadableTest):
        _rewritten(source)
