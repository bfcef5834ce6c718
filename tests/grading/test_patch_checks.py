"""What a patch may touch, what is put back, where it hits, what the answer spent, and whether the answer lay open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gate.grading.budget import check_budget, check_tools
from gate.grading.clean import clean_tree
from gate.grading.leak import leaks
from gate.grading.locate import located
from gate.grading.paths import check_paths
from gate.outcome import Answer, AnswerStatus, ToolCall, Usage
from gate.suite.canary import Budget, Expect, RunnerTest
from gate.workspace.patch import Change, Patch, diff
from gate.workspace.tree import File
from tests.grading.bench import tree

BASE = tree(
    {"src/a.py": "one\ntwo\nthree\n", "tests/test_a.py": "assert\n", "conftest.py": "x = 1\n", "lock.yaml": "1\n"}
)
TESTS = (RunnerTest("pytest", ("tests",)),)


def _patch(files: Mapping[str, str | None]) -> Patch:
    gone = {path for path, text in files.items() if text is None}
    kept = {path: node for path, node in BASE.items() if path not in gone}
    return diff(BASE, {**kept, **tree({path: text for path, text in files.items() if text is not None})})


# allowed_paths, patched files, what is put back
RESTORED: list[tuple[tuple[str, ...] | None, dict[str, str | None], list[str]]] = [
    (None, {"tests/test_a.py": "pass\n"}, ["tests/test_a.py"]),
    (None, {"tests/test_b.py": "pass\n"}, ["tests/test_b.py"]),
    (None, {"tests/test_a.py": None}, ["tests/test_a.py"]),
    (None, {"conftest.py": "y\n"}, ["conftest.py"]),
    (None, {"conftest.py": None}, ["conftest.py"]),
    (None, {"src/conftest.py": "y\n"}, ["src/conftest.py"]),
    (None, {"pyproject.toml": "y\n"}, ["pyproject.toml"]),
    (None, {"package.json": "{}\n"}, ["package.json"]),
    (None, {"src/sitecustomize.py": "y\n", "src/x.pth": "y\n"}, ["src/sitecustomize.py", "src/x.pth"]),
    (("src/**",), {"src/conftest.py": "y\n"}, ["src/conftest.py"]),
    (("**",), {"pytest.ini": "y\n"}, ["pytest.ini"]),
    (("conftest.py",), {"conftest.py": "y\n"}, []),
    (("src/**", "package.json"), {"package.json": "{}\n"}, []),
    (("tests/**",), {"tests/test_a.py": "pass\n"}, []),
    (None, {"src/a.py": "zero\n"}, []),
    (None, {"src/test_a.py": "zero\n"}, []),
]


@pytest.mark.parametrize(("allowed", "files", "restored"), RESTORED)
def test_tests_and_configuration_are_put_back(
    allowed: tuple[str, ...] | None, files: dict[str, str | None], restored: list[str]
) -> None:
    """Unless the canary hands them over: a wildcard hands over tests, never configuration."""
    made = clean_tree(Expect(tests=TESTS, allowed_paths=allowed), BASE, _patch(files))
    assert list(made.restored) == restored
    assert made.applied
    for path, text in files.items():
        expected = BASE.get(path) if path in restored else (None if text is None else File(text.encode()))
        assert made.tree.get(path) == expected


def test_an_empty_patch_is_not_applied() -> None:
    """There is nothing to grade."""
    made = clean_tree(Expect(), BASE, _patch({}))
    assert (made.applied, made.reason) == (False, "the patch is empty")


def test_a_patch_for_another_tree_is_not_applied() -> None:
    """It says so, and the tree stays the fixture."""
    made = clean_tree(Expect(), BASE, Patch((Change("src/a.py", File(b"other"), File(b"new")),)))
    assert not made.applied
    assert made.tree == BASE
    assert "src/a.py" in made.reason


PATHS: list[tuple[dict[str, Any], list[str], bool]] = [
    ({"forbidden_paths": ("lock.yaml",)}, ["src/a.py"], True),
    ({"forbidden_paths": ("lock.yaml",)}, ["src/a.py", "lock.yaml"], False),
    ({"forbidden_paths": (".github/**",)}, [".github/workflows/x.yml"], False),
    ({"forbidden_paths": ("*.lock",)}, ["deep/er/x.lock"], False),
    ({"allowed_paths": ("src/*",)}, ["src/a.py"], True),
    ({"allowed_paths": ("src/*.py",)}, ["src/deep/a.py"], False),
    ({"allowed_paths": ("src/**",)}, ["src/deep/a.py"], True),
    ({"allowed_paths": ("src/**",)}, ["README.md"], False),
    ({"allowed_paths": ()}, ["src/a.py"], False),
    ({"allowed_paths": ("src/**",), "forbidden_paths": ("src/a.py",)}, ["src/a.py"], False),
    ({"allowed_paths": ("src/**",)}, [], True),
]


@pytest.mark.parametrize(("rules", "paths", "ok"), PATHS)
def test_paths(rules: dict[str, Any], paths: list[str], ok: bool) -> None:
    """A path outside fails the check; it is not trimmed off."""
    check = check_paths(Expect(**rules), paths)
    assert check is not None
    assert check.ok is ok


def test_what_is_out_of_bounds_is_not_graded() -> None:
    """The clean tree holds the allowed part only."""
    expect = Expect(forbidden_paths=("lock.yaml",))
    made = clean_tree(expect, BASE, _patch({"lock.yaml": "2\n", "src/a.py": "zero\n"}))
    assert made.tree["lock.yaml"] == BASE["lock.yaml"]
    assert made.tree["src/a.py"] == File(b"zero\n")


def test_no_rules_no_check() -> None:
    """A canary without rules for paths, budget and tools has no checks of them."""
    answer = Answer(AnswerStatus.DONE)
    assert check_paths(Expect(), ["x"]) is None
    assert check_budget(Budget(), answer) is None
    assert check_tools(Expect(), answer) is None


def _spent(calls: int = 0, output: int = 0, read: int = 0, cost: float | None = None) -> Answer:
    made = tuple(ToolCall("read_file", {}, ok=True, result="") for _ in range(calls))
    usage = Usage(input=read, cache_read=read, output=output, reasoning=output)
    return Answer(AnswerStatus.DONE, calls=made, usage=usage, cost_usd=cost)


BUDGETS = [
    (Budget(max_tool_calls=2), _spent(calls=2), True),
    (Budget(max_tool_calls=2), _spent(calls=3), False),
    (Budget(max_tokens=10), _spent(output=10), True),
    (Budget(max_tokens=10), _spent(output=11), False),
    (Budget(max_input_tokens=10), _spent(read=5), True),
    (Budget(max_input_tokens=10), _spent(read=6), False),
    (Budget(max_usd=0.05), _spent(output=9, cost=0.05), True),
    (Budget(max_usd=0.05), _spent(output=9, cost=0.051), False),
    (Budget(max_usd=0.05), _spent(output=9), False),
]


@pytest.mark.parametrize(("budget", "answer", "ok"), BUDGETS)
def test_budgets(budget: Budget, answer: Answer, ok: bool) -> None:
    """The ceiling itself is allowed, reasoning is a part of output, and an unknown price passes no dollar ceiling."""
    check = check_budget(budget, answer)
    assert check is not None
    assert check.ok is ok


TOOLS: list[tuple[dict[str, Any], bool]] = [
    ({"tools_allowed": ("read_file", "edit_file")}, True),
    ({"tools_allowed": ("edit_file",)}, False),
    ({"tools_allowed": ()}, False),
    ({"tools_forbidden": ("shell",)}, True),
    ({"tools_forbidden": ("read_file",)}, False),
    ({"tools_allowed": ("read_file",), "tools_forbidden": ("read_file",)}, False),
]


@pytest.mark.parametrize(("rules", "ok"), TOOLS)
def test_tools(rules: dict[str, Any], ok: bool) -> None:
    """One call of a tool that is not allowed is one too many."""
    check = check_tools(Expect(**rules), _spent(calls=1))
    assert check is not None
    assert check.ok is ok


LOCATED: list[tuple[str | None, list[int] | None, bool]] = [
    ("one\nTWO\nthree\n", [2, 2], True),
    ("one\nTWO\nthree\n", [1, 1], False),
    ("one\nTWO\nthree\n", [3, 9], False),
    ("one\nnew\ntwo\nthree\n", [2, 2], True),
    ("one\nnew\ntwo\nthree\n", [3, 3], False),
    ("one\nthree\n", [2, 2], True),
    ("one\ntwo\nthree\nfour\n", [3, 3], True),
    (None, [2, 2], True),
    ("one\nTWO\nthree\n", None, True),
]


@pytest.mark.parametrize(("text", "lines", "hit"), LOCATED)
def test_located(text: str | None, lines: list[int] | None, hit: bool) -> None:
    """A changed, removed or neighbouring line of the pristine file lies in the range."""
    place = {"path": "src/a.py", **({"lines": lines} if lines else {})}
    assert located(Expect(locate=(place,)), _patch({"src/a.py": text})) is hit
    assert located(Expect(locate=(place,)), _patch({"lock.yaml": "2\n"})) is False
    assert located(Expect(), _patch({"src/a.py": text})) is None


SOLUTION = {"src/a.py": "one\ntwo = compute(alpha, beta)\nreturn two + gamma\nthree\n"}
OPEN = {
    "a patch": ({"notes/fix.patch": "+two = compute(alpha, beta)\n+return two + gamma\n"}, True),
    "a copy": ({"old/a.py": "if x:\n    two  =  compute(alpha, beta)\n    return two + gamma\n"}, True),
    "half of it": ({"old/a.py": "two = compute(alpha, beta)\n"}, False),
    "nothing": ({"old/a.py": "unrelated\n"}, False),
}


@pytest.mark.parametrize("name", OPEN)
def test_the_solution_lying_open_is_a_leak(name: str) -> None:
    """All distinctive lines of a changed file in another file are a leak; a part of them is chance."""
    files, leaked = OPEN[name]
    assert bool(leaks({**BASE, **tree(files)}, (), _patch(SOLUTION))) is leaked


def test_short_lines_are_no_leak() -> None:
    """A line of fewer than twelve characters says nothing."""
    assert leaks({**BASE, **tree({"x.py": "y = 1\n"})}, (), _patch({"src/a.py": "one\ny = 1\n"})) == []


def test_a_marker_leaks_wherever_it_stands() -> None:
    """In a text, in binary, in a path; and the reason does not repeat it."""
    for files in ({"x": "a GOLD-7f b"}, {"x": b"\0GOLD-7f\0"}, {"GOLD-7f.txt": "x"}):
        found = leaks(tree(files), ("GOLD-7f",), None)
        assert len(found) == 1
    assert leaks(tree({"x": "GOLD"}), ("GOLD-7f",), None) == []
