"""Observed tests of Python: what a test may be made of, what counts as passed, and where the code under test lies."""

from __future__ import annotations

import pytest

from gate.grading.bench import Bench, Findings, NotGraded, UnusableTest
from gate.grading.observed import grade_pytest
from gate.suite.canary import RunnerTest
from gate.workspace.tree import Tree
from tests.grading.bench import failing, make_bench, passes, tree

CODE = """
import dataclasses, enum, collections
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, other): return isinstance(other, Vec) and (self.x, self.y) == (other.x, other.y)
    def __add__(self, other): return Vec(self.x + other.x, self.y + other.y)
    __hash__ = None
@dataclasses.dataclass
class Spot:
    x: int
class Shade(enum.Enum):
    RED = 1
    BLUE = 2
class Refused(Exception):
    pass
class Other(Exception):
    pass
def add(a, b):
    if a is None: raise Refused("no a, n0123456789abcdef at 0x7f00aa00bb00")
    return a + b
def counts(text): return collections.Counter(text)
"""

TESTS: dict[str, tuple[str, bool]] = {
    # what a test says, and whether it is true
    "equal": ("assert add(2, 3) == 5", True),
    "unequal": ("assert add(2, 3) == 6", False),
    "equal across types, as in Python": ("assert add(2, 3) == 5.0", True),
    "bool": ("assert add(1, 0) == True", True),
    "not equal": ("assert add(2, 3) != 6", True),
    "not equal but is": ("assert add(2, 3) != 5", False),
    "counter": ("assert counts('aab') == {'a': 2, 'b': 1}", True),
    "order": ("assert 4 < add(2, 3) <= 5", True),
    "order fails": ("assert 5 < add(2, 3) <= 6", False),
    "in": ("assert add('a', 'b') in ('ab', 'ba')", True),
    "not in": ("assert 'x' not in add('a', 'b')", True),
    "in fails": ("assert 'x' in add('a', 'b')", False),
    "is None": ("assert {}.get(add(1, 1)) is None", True),
    "is not None": ("assert Vec(1, 2) is not None", True),
    "is True": ("assert (add(1, 1) == 2) is True", True),
    "is True fails for 1": ("assert add(0, 1) is True", False),
    "truth": ("assert add(1, 1)", True),
    "truth fails": ("assert add(1, -1)", False),
    "falsehood": ("assert not add(1, -1)", True),
    "falsehood fails": ("assert not add(1, 1)", False),
    "and": ("assert add(1, 1) == 2 and add(1, 2) == 3", True),
    "and fails": ("assert add(1, 1) == 2 and add(1, 2) == 4", False),
    "or": ("assert add(1, 1) == 3 or add(1, 1) == 2", True),
    "or fails": ("assert add(1, 1) == 3 or add(1, 1) == 4", False),
    "all": ("assert all(add(i, 1 - i) == 1 for i in range(4))", True),
    "all fails": ("assert all(add(i, 1) == 1 for i in range(4))", False),
    "any": ("assert any(add(i, 1) == 3 for i in range(4))", True),
    "any fails": ("assert any(add(i, 1) == 9 for i in range(4))", False),
    "not any": ("assert not any(add(i, 1) == 9 for i in range(4))", True),
    "not any fails": ("assert not any(add(i, 1) == 3 for i in range(4))", False),
    "all in a table": ("assert all(add(a, 1) == b for a, b in [(1, 2), (2, 3)])", True),
    "all in a table, fails": ("assert all(add(a, 1) == b for a, b in [(1, 2), (2, 4)])", False),
    "not any of what cannot be compared": ("assert not any(add(i, 'a') < 3 for i in ('b', 'c'))", False),
    "not all": ("assert not all(add(i, 1) == 1 for i in range(4))", True),
    "not all fails": ("assert not all(add(i, 1 - i) == 1 for i in range(4))", False),
    "all of none": ("assert all(add(i, 1) == 9 for i in [])", True),
    "all of a filtered few": ("assert all(add(i, 1) > 2 for i in range(4) if i > 1)", True),
    "all of a product": ("assert all(add(i, j) < 5 for i in range(3) for j in (1, 2))", True),
    "a distance": ("assert abs(add(0.1, 0.2) - 0.3) < 1e-9", True),
    "a distance fails": ("assert abs(add(0.1, 0.2) - 0.31) <= 1e-9", False),
    "a distance the other way": ("assert 1 > abs(5.5 - add(2, 3))", True),
    "a distance that must be": ("assert not abs(add(2, 3) - 9) < 1", True),
    "isclose": ("import math\n    assert math.isclose(add(0.1, 0.2), 0.3)", True),
    "isclose fails": ("import math\n    assert math.isclose(add(0.1, 0.2), 0.31, rel_tol=0.001)", False),
    "not isclose": ("import math\n    assert not math.isclose(add(0.1, 0.2), 0.31)", True),
    "turns": ("for a in range(-1, 3):\n        assert add(a, 1) == a + 1", True),
    "turns fail": ("for a in range(-1, 3):\n        assert add(a, 1) == 1", False),
    "turns of two": ("for a, b in zip((1, 2), (2, 3), strict=False):\n        assert add(a, 1) == b", True),
    "an or of two": ("assert add(1, 1) == 9 or add(2, 2) == 4", True),
    "an or of two, fails": ("assert add(1, 1) == 9 or add(2, 2) == 5", False),
    "a choice": ("assert add(1, 1) == 2 if add(1, 0) else add(1, 1) == 3", True),
    "a choice fails": ("assert add(1, 1) == 3 if add(1, 0) else add(1, 1) == 2", False),
    "all of two": ("assert all(add(i, 1) == 3 and add(1, i) == 3 for i in (2, 2))", True),
    "all of two, fails": ("assert all(add(i, 1) == 3 and add(1, i) == 4 for i in (2, 2))", False),
    "approx": ("assert add(0.1, 0.2) == pytest.approx(0.3)", True),
    "approx fails": ("assert add(0.1, 0.2) == pytest.approx(0.31)", False),
    "approx in a list": ("assert [add(0.1, 0.2)] == pytest.approx([0.3])", True),
    "objects": ("assert Vec(1, 2) + Vec(3, 4) == Vec(4, 6)", True),
    "objects fail": ("assert Vec(1, 2) + Vec(3, 4) == Vec(4, 7)", False),
    "dataclasses": ("assert Spot(add(1, 1)) == Spot(2)", True),
    "dataclasses fail": ("assert Spot(add(1, 1)) == Spot(3)", False),
    "enumerations": ("assert Shade(add(1, 1)) == Shade.BLUE", True),
    "identity": ("assert Shade(add(1, 1)) is Shade.BLUE", True),
    "identity fails": ("assert Shade(add(1, 1)) is Shade.RED", False),
    "raises": ("with pytest.raises(TypeError): add(1, 'a')", True),
    "raises a base": ("with pytest.raises(Exception): add(1, 'a')", True),
    "raises another": ("with pytest.raises(ValueError): add(1, 'a')", False),
    "raises nothing": ("with pytest.raises(TypeError): add(1, 1)", False),
    "raises one of two": ("with pytest.raises((ValueError, TypeError)): add(1, 'a')", True),
    "raises its own": ("with pytest.raises(Refused): add(None, 1)", True),
    "raises its own, fails": ("with pytest.raises(Other): add(None, 1)", False),
    "raises with match": ("with pytest.raises(Refused, match='no .'): add(None, 1)", True),
    "raises with match, fails": ("with pytest.raises(Refused, match='yes'): add(None, 1)", False),
    "raises as": ("with pytest.raises(Refused) as e: add(None, 1)\n    assert 'no a' in str(e.value)", True),
    "raises as, fails": ("with pytest.raises(Refused) as e: add(None, 1)\n    assert 'yes' in str(e.value)", False),
    "raises by call": ("pytest.raises(TypeError, add, 1, 'a')", True),
    "raises by call, fails": ("pytest.raises(TypeError, add, 1, 1)", False),
    "loop": ("for a, b in [(1, 2), (2, 3)]:\n        assert add(a, 1) == b", True),
    "loop fails": ("for a, b in [(1, 2), (2, 4)]:\n        assert add(a, 1) == b", False),
    "loop over what it returns": ("for c in add('a', 'a'):\n        assert c == 'a'", True),
    "loop over what it returns, fails": ("for c in add('a', 'b'):\n        assert c == 'a'", False),
    "a changed list": ("want = [1]\n    want.append(2)\n    assert add([1], [2]) == want", True),
    "a returned early": ("assert add(1, 1) == 2\n    return", True),
    "an exception": ("add(1, 'a')", False),
    "nothing asserted": ("add(1, 1)", True),
    "skip": ("pytest.skip('no')", False),
    "xfail": ("pytest.xfail('no')", False),
    "fail": ("pytest.fail('no')", False),
    "a fixture": ("assert tmp_path.joinpath('x').write_text(add('a', 'b')) == 2", True),
    "captured": ("print(add('a', 'b'))\n    assert capsys.readouterr().out == 'ab\\n'", True),
    "monkeypatch": ("monkeypatch.setenv('X', 'y')\n    import os\n    assert os.environ['X'] == add('', 'y')", True),
}


def _run(tests: str, bench: Bench, code: str = CODE, spec: RunnerTest | None = None) -> Findings:
    base = tree({"calc.py": code})
    hidden = tree({"test_x.py": tests})
    return grade_pytest([spec or RunnerTest("pytest", ("test_x.py",))], base, hidden, base, bench, name="t", wall_s=30)


def test_every_way_to_assert_means_what_it_says(bench: Bench) -> None:
    """One session over the whole table: each test passes exactly if what it says is true."""
    source = "import pytest\nfrom calc import *\nfrom calc import Refused, Other\n"
    for number, (body, _) in enumerate(TESTS.values()):
        fixtures = ", ".join(name for name in ("tmp_path", "capsys", "monkeypatch") if name in body)
        source += f"def test_{number}({fixtures}):\n    {body}\n"
    found = {check.name.rpartition("::")[2]: check for check in _run(source, bench).checks if "::" in check.name}
    wrong = {
        name: found[f"test_{number}"].reason
        for number, (name, (_, true)) in enumerate(TESTS.items())
        if found[f"test_{number}"].ok is not true
    }
    assert wrong == {}


CLASSIC: dict[str, tuple[str, bool]] = {
    "assertEqual": ("self.assertEqual(add(2, 3), 5)", True),
    "assertEqual fails": ("self.assertEqual(add(2, 3), 6)", False),
    "assertIn": ("self.assertIn(add(2, 3), [5])", True),
    "assertIsNone": ("self.assertIsNone(add(2, 3))", False),
    "assertTrue": ("self.assertTrue(add(2, 3) == 5)", True),
    "assertFalse": ("self.assertFalse(add(2, 3))", False),
    "assertIsInstance": ("self.assertIsInstance(add(2, 3), int)", True),
    "assertAlmostEqual": ("self.assertAlmostEqual(add(0.1, 0.2), 0.3)", True),
    "assertAlmostEqual fails": ("self.assertAlmostEqual(add(0.1, 0.2), 0.301)", False),
    "assertAlmostEqual places": ("self.assertAlmostEqual(add(0.1, 0.2), 0.301, places=2)", True),
    "assertCountEqual": ("self.assertCountEqual(add([1], [2]), [2, 1])", True),
    "assertCountEqual fails": ("self.assertCountEqual(add([1], [2]), [2, 2])", False),
    "assertRaises": ("with self.assertRaises(TypeError): add(1, 'a')", True),
    "assertRaises by call": ("self.assertRaises(TypeError, add, 1, 'a')", True),
    "assertRaises fails": ("self.assertRaises(TypeError, add, 1, 1)", False),
    "assertRaises as": (
        "with self.assertRaises(Refused) as e: add(None, 1)\n        self.assertIn('no a', str(e.exception))",
        True,
    ),
    "assertRaisesRegex": ("with self.assertRaisesRegex(Refused, 'yes'): add(None, 1)", False),
    "assertRegex": ("self.assertRegex(add('a', 'b'), '^a')", True),
    "assertGreater": ("self.assertGreater(add(2, 3), 5)", False),
    "subTest": (
        "for a in (1, 2):\n            with self.subTest(a=a):\n                self.assertEqual(add(a, 0), a)",
        True,
    ),
    "subTest fails": (
        "for a, b in ((1, 1), (2, 3)):\n            with self.subTest(a=a): self.assertEqual(add(a, 0), b)",
        False,
    ),
    "skipTest": ("self.skipTest('no')", False),
    "left as it is": ("self.assertNotAlmostEqual(add(1, 1), 2)", False),
    "unknown to us": ("self.assertNoLogs", True),
}


def test_every_way_to_assert_of_unittest(bench: Bench) -> None:
    """The same for unittest, with setUp and tearDown around."""
    source = "import unittest\nfrom calc import *\nfrom calc import Refused\nclass T(unittest.TestCase):\n"
    source += "    def setUp(self): self.assertEqual(add(0, 0), 0)\n    def tearDown(self): self.assertTrue(True)\n"
    for number, (body, _) in enumerate(CLASSIC.values()):
        source += f"    def test_{number}(self):\n        {body}\n"
    found = {check.name.rpartition("::")[2]: check for check in _run(source, bench).checks if "::" in check.name}
    wrong = {
        name: found[f"test_{number}"].reason
        for number, (name, (_, true)) in enumerate(CLASSIC.items())
        if found[f"test_{number}"].ok is not true
    }
    assert wrong == {}


PLACES: dict[str, tuple[dict[str, str], str]] = {
    "a package": ({"pkg/__init__.py": "", "pkg/m.py": "def f(): return 1\n"}, "from pkg.m import f"),
    "a namespace package": ({"pkg/m.py": "def f(): return 1\n"}, "from pkg.m import f"),
    "src": ({"src/pkg/__init__.py": "def f(): return 1\n"}, "from pkg import f"),
    "the name of a library module": ({"statistics.py": "def f(): return 1\n"}, "from statistics import f"),
    "the name of an installed package": ({"unidiff/__init__.py": "def f(): return 1\n"}, "from unidiff import f"),
}


@pytest.mark.parametrize("name", PLACES)
def test_the_code_under_test_is_the_trees(name: str, bench: Bench) -> None:
    """Whatever is installed: a module of the fixture is imported from the tree."""
    files, line = PLACES[name]
    base, hidden = tree(files), tree({"test_x.py": f"{line}\ndef test(): assert f() == 1\n"})
    spec = [RunnerTest("pytest", ("test_x.py",))]
    assert passes(grade_pytest(spec, base, hidden, base, bench, name="t", wall_s=30))


def test_a_fixture_named_like_the_runner_is_said(bench: Bench) -> None:
    """Nobody's code is taken for the fixture's: that it cannot be imported is an error, not a failure."""
    base = tree({"pluggy/__init__.py": "def f(): return 1\n"})
    hidden = tree({"test_x.py": "from pluggy import f\ndef test(): assert f() == 1\n"})
    with pytest.raises(NotGraded, match="pluggy"):
        grade_pytest([RunnerTest("pytest", ("test_x.py",))], base, hidden, base, bench, name="t", wall_s=30)


def test_what_lies_beside_hidden_tests_is_there(bench: Bench) -> None:
    """Data, helper modules and a conftest of the hidden tests; the working directory is the tree."""
    hidden = tree(
        {
            "t/conftest.py": "import pytest\n@pytest.fixture\ndef five(): return 5\n",
            "t/helper.py": "VALUE = 3\n",
            "t/data/want.txt": "5",
            "t/test_x.py": "import pathlib\nfrom helper import VALUE\nfrom calc import add\n"
            "def test(five):\n    assert add(2, VALUE) == five\n"
            "    assert str(add(2, 3)) == (pathlib.Path(__file__).parent / 'data' / 'want.txt').read_text()\n"
            "    assert pathlib.Path('notes.txt').read_text() == 'hello'\n",
        }
    )
    base = tree({"calc.py": CODE, "notes.txt": "hello"})
    found = grade_pytest([RunnerTest("pytest", ("t",))], base, hidden, base, bench, name="t", wall_s=30)
    assert failing(found.checks) == {}
    assert "2 held" in found.checks[-1].reason


def test_tests_of_the_tree_run_with_its_conftest(bench: Bench) -> None:
    """Listed tests of the fixture, their package, their conftest on the way; not their original in the copy."""
    base = tree(
        {
            "calc.py": CODE,
            "conftest.py": "import pytest\n@pytest.fixture\ndef two(): return 2\n",
            "tests/__init__.py": "",
            "tests/conftest.py": "import pytest\n@pytest.fixture\ndef three(two): return two + 1\n",
            "tests/test_x.py": "import os\nfrom calc import add\n"
            "def test(two, three):\n    assert add(two, three) == 5\n"
            "    assert os.path.exists('tests/test_x.py') == False\n",
        }
    )
    found = grade_pytest([RunnerTest("pytest", ("tests",))], base, {}, base, bench, name="t", wall_s=30)
    assert failing(found.checks) == {}


LISTED = """
import pytest
from calc import add
@pytest.mark.parametrize("a, b", [(1, 2), (3, 5)])
def test_rows(a, b): assert add(a, 1) == b
def test_good(): assert add(1, 1) == 2
def test_bad(): assert add(1, 1) == 3
@pytest.fixture(params=["x", "y"])
def letter(request): return request.param
def test_letters(letter): assert add(letter, "") in ("x", "y")
class TestIn:
    def test_side(self): assert add(1, 1) == 2
"""

EXPECTED: list[tuple[tuple[str, ...], tuple[str, ...], dict[str, str]]] = [
    (("test_x.py::test_good",), ("test_x.py::TestIn::test_side", "test_x.py::test_letters"), {}),
    (("test_x.py::test_rows[1-2]", "test_x.py::test_letters[y]"), (), {}),
    (("test_x.py::test_good",), ("test_x.py::test_bad",), {"test_x.py::test_bad": "test_x.py:7: saw 2"}),
    (("test_x.py::test_rows",), (), {"test_x.py::test_rows": "[3-5] test_x.py:5: saw 4"}),
    (("test_x.py::test_gone",), (), {"test_x.py::test_gone": "missing: no such test ran"}),
    (("test_x.py::test_rows[9-9]",), (), {"test_x.py::test_rows[9-9]": "missing: no such test ran"}),
    (("other.py::test_good",), (), {"other.py::test_good": "missing: no such test ran"}),
]


@pytest.mark.parametrize(("fail", "stay", "wrong"), EXPECTED)
def test_expected_tests(fail: tuple[str, ...], stay: tuple[str, ...], wrong: dict[str, str], bench: Bench) -> None:
    """Those that are listed count, a name stands for its rows, and a missing one is a failure."""
    spec = RunnerTest("pytest", ("test_x.py",), fail, stay)
    assert failing(_run(LISTED, bench, spec=spec).checks) == wrong


def test_without_a_list_every_test_counts(bench: Bench) -> None:
    """Every test that is there must pass; no test is a failure, never a pass."""
    assert failing(_run(LISTED, bench).checks).keys() == {"test_x.py::test_bad", "test_x.py::test_rows[3-5]"}
    assert failing(_run("from calc import add\n", bench).checks) == {"tests": "no test ran"}


def test_a_test_that_is_not_collected_did_not_run(bench: Bench) -> None:
    """A function that pytest passes over is missed, not forgotten."""
    source = "class TestX:\n    def __init__(self): pass\n    def test_a(self): assert 1 == 1\ndef test_b(): pass\n"
    assert failing(_run(source, bench).checks) == {"test_x.py::TestX::test_a": "did not run"}


def test_a_class_that_inherits_its_tests_is_its_own(bench: Bench) -> None:
    """An inherited test has the name of the class it runs in."""
    source = "from calc import add\nclass TestA:\n    def test(self): assert add(1, 1) == 2\nclass TestB(TestA): pass\n"
    spec = RunnerTest("pytest", ("test_x.py",), ("test_x.py::TestB::test",))
    assert failing(_run(source, bench, spec=spec).checks) == {}


def test_a_timeout_is_a_failed_check(bench: Bench) -> None:
    """The agent's own time is another matter."""
    base = tree({"calc.py": "def add(a, b):\n    while True: pass\n"})
    hidden = tree({"test_x.py": "from calc import add\ndef test(): assert add(1, 1) == 2\n"})
    found = grade_pytest([RunnerTest("pytest", ("test_x.py",))], base, hidden, base, bench, name="t", wall_s=1)
    assert failing(found.checks) == {"tests": "timeout"}


def test_code_that_cannot_be_imported_is_a_failure(bench: Bench) -> None:
    """Its error stands in the reason; it is no error of ours."""
    reason = failing(_run("from calc import add\ndef test(): add(1, 1)\n", bench, code="import nowhere\n").checks)
    assert reason == {"tests": "the tests could not be collected: ModuleNotFoundError: No module named 'nowhere'"}


@pytest.mark.parametrize("hidden", [{}, {"test_x.txt": "x"}, {"d/helper.py": "x = 1"}])
def test_no_test_file_is_the_canarys_fault(hidden: dict[str, str], bench: Bench) -> None:
    """An empty set of tests never passes anybody."""
    base: Tree = tree({"calc.py": CODE})
    for path in ("test_x.py", "d"):
        with pytest.raises(UnusableTest, match="holds no test file"):
            grade_pytest([RunnerTest("pytest", (path,))], base, tree(hidden), base, bench, name="t", wall_s=30)


def test_reasons_are_the_same_in_every_run(bench: Bench) -> None:
    """Other names are drawn, other bytes of evidence are kept, and every word of the grade is the same."""
    source = "from calc import add, counts, Vec, Refused\nimport pytest\n"
    source += "def test_a(tmp_path): assert add(str(tmp_path), '') == 'x'\n"
    source += "def test_b(): assert repr(Vec(1, 2)) == 'x'\n"
    source += "def test_c(): assert set('abcdef') == set(counts('xyz'))\n"
    source += "def test_d(): add(None, 1)\n"
    source += "def test_e(): assert all(add(i, 1) == 3 and add(i, 1) == 3 for i in [5])\n"
    source += "def test_f(): raise RuntimeError(open(__file__).read()[:900])\n"
    runs = []
    for seed in ("one", "two"):
        other = make_bench(bench.fence, bench.scratch, bench.python, bench.node, seed)
        runs.append(_run(source, other).checks)
    assert runs[0] == runs[1]
    assert len(failing(runs[0])) == 6
    assert all("n0" not in check.reason and str(bench.scratch) not in check.reason for check in runs[0])


def test_evidence_is_kept(bench: Bench) -> None:
    """The raw records and the runner's output, under stable names."""
    _run("from calc import add\ndef test(): assert add(1, 1) == 2\n", bench)
    kept = {path.name: path.read_bytes() for path in (bench.scratch / "evidence").iterdir()}
    assert kept.keys() == {"t.records", "t.output"}
    assert kept["t.records"].startswith(b'["hello"')
    assert b"1 failed, 2 passed" in kept["t.output"]
