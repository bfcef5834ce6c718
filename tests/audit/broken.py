"""Graders that are broken on purpose, in the six ways that have been seen, and the toy that they grade."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree as ET

from gate.agents.extract import Extracted
from gate.grading.bench import Bench, staged
from gate.outcome import Answer, Check, Grade
from gate.sandbox.fence import Completed
from gate.sandbox.policy import Limits, Policy
from gate.suite.canary import Canary, Expect, RunnerTest
from gate.workspace.patch import Patch, apply
from gate.workspace.tree import File, Tree
from tests.grading.bench import canary, on_disk

WRONG = """\
def add(a, b):
    return a - b
"""
RIGHT = """\
def add(a, b):
    return a + b
"""
TESTS = """\
from calc import add


def test_add():
    assert add(2, 3) == 5
    assert add(-4, 9) == 5
    assert add(0, 7) == 7
"""


def toy(root: Path) -> Canary:
    """A small canary with its right answer, hidden tests, and a visible test."""
    fixture = on_disk(root / "fixture", {"calc.py": WRONG, "tests/test_seen.py": "from calc import add\n"})
    hidden = on_disk(root / "hidden", {"tests/test_calc.py": TESTS})
    diff = root / "calc.diff"
    diff.write_bytes(_diff())
    tests = (RunnerTest("pytest", ("tests/test_calc.py",)),)
    return canary(fixture, Expect(reference=diff, tests=tests, hidden_tests=hidden))


def _diff() -> bytes:
    from gate.workspace.patch import diff, to_bytes

    return to_bytes(diff({"calc.py": File(WRONG.encode())}, {"calc.py": File(RIGHT.encode())}))


def _said(ok: bool) -> Grade:
    return Grade.of((Check("tests", ok, "passed" if ok else "failed"),), graded_by="observed", applied=True)


def always_true(_canary: Canary, _base: Tree, _patch: Patch, _answer: Answer, _bench: Bench) -> Grade:
    """Whatever comes is right."""
    return _said(True)


def always_false(_canary: Canary, _base: Tree, _patch: Patch, _answer: Answer, _bench: Bench) -> Grade:
    """Nothing is ever right."""
    return _said(False)


@contextmanager
def _ran(canary: Canary, base: Tree, patch: Patch, bench: Bench, *options: str) -> Iterator[tuple[Completed, Path]]:
    """pytest in the answer's own tree, with the hidden tests laid over it."""
    hidden = bench.copies.base(canary.expect.hidden_tests) if canary.expect.hidden_tests else {}
    with staged(bench, {**apply(patch, base), **hidden}, "broken") as stage:
        alone = ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        policy = Policy(copy=stage.repo, readable=bench.python.readable, environment=(alone,), limits=Limits(wall_s=20))
        argv = [str(bench.python.executable), "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "tests"]
        yield bench.fence.run(policy, argv), stage.repo


def exit_code_only(canary: Canary, base: Tree, patch: Patch, _answer: Answer, bench: Bench) -> Grade:
    """Zero is right."""
    with _ran(canary, base, patch, bench) as (completed, _):
        return _said(completed.exit_code == 0)


def ignores_missing_tests(canary: Canary, base: Tree, patch: Patch, _answer: Answer, bench: Bench) -> Grade:
    """No test that was reported has failed: as good as nothing when none was."""
    with _ran(canary, base, patch, bench, "--junit-xml=seen.xml") as (_, repo):
        try:
            cases = list(ET.parse(repo / "seen.xml").iter("testcase"))  # noqa: S314  # a broken grader, in a test
        except (OSError, ET.ParseError):
            cases = []
        return _said(not any(case.find("failure") is not None or case.find("error") is not None for case in cases))


def reads_a_planted_report(canary: Canary, base: Tree, patch: Patch, _answer: Answer, bench: Bench) -> Grade:
    """What lies in the tree as a report is believed, whoever wrote it."""
    with _ran(canary, base, patch, bench) as (completed, repo):
        for name in ("report.json", "results.json", "reward.json"):
            if (repo / name).is_file():
                return _said(bool(json.loads((repo / name).read_text())))
        return _said(completed.exit_code == 0)


def raw_reply(message: str, base: Tree) -> Extracted:
    """The reply is the program, prose and all."""
    return Extracted({**base, "calc.py": File(message.encode())}, "raw", "")
