"""Trees are compared, never diff text; and nothing that lies in a tree ends the harness."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.grading.bench import UnusableTest
from gate.grading.golden import check_golden, differing, golden_trees
from gate.suite.canary import Expect, GoldenMatch
from gate.workspace.tree import File, Node, Symlink
from tests.grading.bench import tree

Rule = GoldenMatch
MATCHES: tuple[Rule, ...] = ("exact", "whitespace", "syntax")

# golden, graded, the strictest rule under which they are the same
SAME: list[tuple[str, str, str, Rule]] = [
    ("a.py", "x = 1\n", "x = 1\n", "exact"),
    ("a.py", "x = 1\n", "x = 1", "whitespace"),
    ("a.py", "x = 1\n", "x = 1  \n", "whitespace"),
    ("a.py", "x = 1\n", "x = 1\r\n", "whitespace"),
    ("a.txt", "x\n", "x\n\n\n", "whitespace"),
    ("a.txt", "x\n\ny\n", "x\n \t\ny\n", "whitespace"),
    ("a.py", "x = 1\n", "x = (1)  # one\n", "syntax"),
    ("a.py", "def f(a, b):\n    return a\n", "def f(\n    a,\n    b,\n):\n  return a\n", "syntax"),
    ("a.pyi", "x: int\n", "x : int\n", "syntax"),
    ("a.py", "x = 'a'\n", 'x = "a"\n', "syntax"),
]
DIFFERENT: list[tuple[str, str, str, Rule]] = [
    ("a.py", "x = 1\n", "x = 2\n", "syntax"),
    ("a.py", "x = 1\n", "x = 1.0\n", "syntax"),
    ("a.py", "x = True\n", "x = 1\n", "syntax"),
    ("a.py", "x = 0.0\n", "x = -0.0\n", "syntax"),
    ("a.py", "if a:\n    b\n    c\n", "if a:\n    b\nc\n", "syntax"),
    ("a.py", "if a:\n    b\n    c\n", "if a:\n    b\nc\n", "whitespace"),
    ("a.txt", "  x\n", "x\n", "syntax"),
    ("a.js", "x = 1\n", "x = (1)\n", "syntax"),
    ("a.txt", "x y\n", "xy\n", "whitespace"),
    ("a.txt", "x\ny\n", "x\n\ny\n", "whitespace"),
    ("a.bin", "\0 \n", "\0\n", "whitespace"),
    ("a.py", "x = 1\n", "x = 1 1\n", "syntax"),
    ("a.py", "x = 1\n", "", "syntax"),
    ("a.py", "f'{x}'\n", "f'{y}'\n", "syntax"),
    ("a.py", "x = b'a'\n", "x = 'a'\n", "syntax"),
]


@pytest.mark.parametrize(("path", "golden", "graded", "strictest"), SAME)
def test_the_rule_says_what_may_differ(path: str, golden: str, graded: str, strictest: Rule) -> None:
    """The same under the rule and every looser one, another under every stricter one."""
    for rule in MATCHES:
        same = not differing(tree({path: golden}), tree({path: graded}), rule)
        assert same is (MATCHES.index(rule) >= MATCHES.index(strictest)), rule


@pytest.mark.parametrize(("path", "golden", "graded", "rule"), DIFFERENT)
def test_the_rule_says_what_may_not_differ(path: str, golden: str, graded: str, rule: Rule) -> None:
    """Leading whitespace, types of constants and other languages' syntax count."""
    assert differing(tree({path: golden}), tree({path: graded}), rule)


@pytest.mark.parametrize("rule", MATCHES)
def test_modes_links_and_files_count_under_every_rule(rule: Rule) -> None:
    """An executable bit, a link, a missing and an additional file are differences."""
    golden: dict[str, Node] = {"a.py": File(b"x = 1\n"), "l": Symlink("a.py")}
    for graded in (
        {**golden, "a.py": File(b"x = 1\n", executable=True)},
        {**golden, "l": Symlink("b.py")},
        {**golden, "l": File(b"a.py")},
        {"a.py": golden["a.py"]},
        {**golden, "b.py": File(b"")},
    ):
        assert len(differing(golden, graded, rule)) == 1
    assert differing(golden, dict(golden), rule) == []


HOSTILE = {
    "deep": b"x = " + b"(" * 5000 + b"1" + b")" * 5000 + b"\n",
    "deep operators": b"x = " + b"-" * 20000 + b"1\n",
    "many terms": b"x = " + b"1 + " * 20000 + b"1\n",
    "NUL": b"x = 1\0\n",
    "not UTF-8": b"x = '\xff\xfe'\n",
    "unknown coding": b"# coding: nonsense\nx = 1\n",
    "huge": b"x = 1\n" * 400_000,
    "warns": b"x = '\\d' is 1\n",
    "huge number": b"x = " + b"9" * 100_000 + b"\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_source_is_unequal_with_a_reason(name: str) -> None:
    """It does not crash the harness and does not warn; it differs."""
    found = differing(tree({"a.py": "x = 1\n"}), tree({"a.py": HOSTILE[name]}), "syntax")
    assert len(found) == 1
    assert found[0].startswith("a.py ")


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab \t\r\n", max_size=20), st.sampled_from(MATCHES))
def test_every_rule_is_reflexive_and_symmetric(text: str, rule: Rule) -> None:
    """A tree is its own golden, and the order of two trees does not matter."""
    one, other = tree({"a.txt": text}), tree({"a.txt": text.replace("b", "")})
    assert differing(one, one, rule) == []
    assert bool(differing(one, other, rule)) is bool(differing(other, one, rule))


def test_any_of_several_goldens(tmp_path: Path) -> None:
    """One golden is enough, and the reason speaks of the nearest."""
    base = tree({"a.txt": "1\n", "b.txt": "1\n"})
    diffs = []
    for number, (old, new) in enumerate((("1", "2"), ("1", "3"))):
        path = tmp_path / f"{number}.diff"
        path.write_text(f"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-{old}\n+{new}\n")
        diffs.append(path)
    trees = golden_trees(Expect(goldens=tuple(diffs)), base)
    assert check_golden(trees, "exact", tree({"a.txt": "3\n", "b.txt": "1\n"})).ok
    check = check_golden(trees, "exact", tree({"a.txt": "4\n", "b.txt": "1\n"}))
    assert not check.ok
    assert check.reason == "differs from every golden (exact): a.txt has other contents"


def test_a_golden_that_does_not_apply_is_the_canarys_fault(tmp_path: Path) -> None:
    """It is never a failure of the patch."""
    path = tmp_path / "g.diff"
    path.write_text("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-9\n+2\n")
    with pytest.raises(UnusableTest, match=r"g\.diff does not apply"):
        golden_trees(Expect(goldens=(path,)), tree({"a.txt": "1\n"}))
