"""Programs that read and print: what is right passes in both languages, what is wrong fails with a reason."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from gate.grading.bench import Bench, Findings, NotGraded, UnusableTest
from gate.grading.grade import graded
from gate.grading.stdin import grade_stdin, lines
from gate.outcome import Status
from gate.suite.canary import Expect, StdinTest
from gate.workspace.patch import diff
from tests.grading.bench import DONE, canary, failing, on_disk, passes, tree
from tests.suite.desk import TASK, Desk

DOUBLE = "n = int(input())\nprint(2 * n)\n"
CASES = (("2\n", "4\n"), ("5", "10"))


def _grade(
    bench: Bench, source: str, cases: tuple[tuple[str, str], ...] = CASES, program: str = "main.py"
) -> tuple[Findings, dict[str, str]]:
    found = grade_stdin(StdinTest(program, cases), tree({program: source}), bench, name="stdin 1", wall_s=20)
    return found, failing(found.checks)


@pytest.mark.parametrize(
    ("program", "source"),
    [
        ("main.py", DOUBLE),
        ("src/main.mjs", "import fs from 'node:fs'; console.log(2 * Number(fs.readFileSync(0, 'utf8')));\n"),
    ],
)
def test_a_program_that_prints_what_is_due_passes(bench: Bench, program: str, source: str) -> None:
    """Blanks at the end of lines and empty last lines do not count; everything else does."""
    found, _ = _grade(bench, source, program=program)
    assert passes(found)
    assert found.forms == {"stdin"}
    assert lines("a \nb\n\n") == lines("a\nb")
    assert lines(" a") != lines("a")
    assert lines("a\n\nb") != lines("a\nb")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("print(3)\n", "printed '3"),
        ("", "printed ''"),
        ("import sys\nprint(2 * int(input()))\nsys.exit(3)\n", "exit code 3"),
        ("raise ValueError('no such thing')\n", "no such thing"),
        ("import os\nos._exit(0)\n", "printed ''"),
    ],
)
def test_a_program_that_does_not_fails_with_what_it_did(bench: Bench, source: str, reason: str) -> None:
    """Wrong output, none, an exit code or a crash: each fails its case, and no reason holds what was expected."""
    _, failed = _grade(bench, source, cases=(("7", "1400000041"),))
    assert reason in failed["stdin 1: case 1"]
    assert "1400000041" not in failed["stdin 1: case 1"]


def test_nothing_is_carried_from_one_case_to_the_next(bench: Bench) -> None:
    """A file that the first run leaves is not there in the second, nor is what was expected of the first."""
    source = "from pathlib import Path\np = Path('seen')\nprint(p.exists())\np.write_text(input())\n"
    found, _ = _grade(bench, source, cases=(("a", "False"), ("b", "False")))
    assert passes(found)


def test_all_cases_share_one_deadline(bench: Bench) -> None:
    """A program that hangs fails its case and those for which no time is left."""
    spec = StdinTest("main.py", CASES)
    found = grade_stdin(spec, tree({"main.py": "while True: pass\n"}), bench, name="stdin 1", wall_s=0.4)
    assert failing(found.checks) == {"stdin 1: case 1": "timeout", "stdin 1: case 2": "timeout"}


def test_what_cannot_be_asked_is_no_failure_of_the_program(bench: Bench) -> None:
    """No case is a fault of the canary, no node one of the machine; a program that is gone is the patch's."""
    with pytest.raises(UnusableTest):
        _grade(bench, DOUBLE, cases=())
    with pytest.raises(NotGraded):
        _grade(dataclasses.replace(bench, node=None), "", program="main.js")
    found = grade_stdin(StdinTest("main.py", CASES), {}, bench, name="stdin 1", wall_s=5)
    assert failing(found.checks) == {"stdin 1: main.py": "there is no such program"}


def test_the_grade_names_the_form(bench: Bench, tmp_path: Path) -> None:
    """A canary with `stdin` is graded by it, and the row says so."""
    one = canary(on_disk(tmp_path, {"main.py": "\n"}), Expect(tests=(StdinTest("main.py", CASES),)))
    base = bench.copies.base(one.fixture)
    for source, status in ((DOUBLE, Status.PASSED), ("print(4)\n", Status.FAILED)):
        grade = graded(one, base, diff(base, tree({"main.py": source})), DONE, bench)
        assert (grade.status, grade.graded_by) == (status, "stdin")


def test_a_canary_file_says_it_in_yaml(tmp_path: Path) -> None:
    """`stdin` in a canary file is that test; a path out of the tree and a case without its output are refused."""
    desk = Desk.laid(tmp_path)
    calls = "    - calls: [{call: calc.add, args: [2, 3], returns: 5}]\n"
    case = '    - stdin: {program: main.py, cases: [{in: "2\\n", out: "4"}]}\n'
    desk.replace(TASK, calls, case)
    (found,) = (one for one in desk.load().canaries if one.id == "fix-01")
    assert found.expect.tests[1] == StdinTest("main.py", (("2\n", "4"),))
    desk.replace(TASK, "program: main.py", "program: ../main.py")
    assert [problem.partition(": ")[2] for problem in desk.problems()] == [
        "expect.tests[1].stdin.program: the path `../main.py` must be relative and must not hold `..`"
    ]
    desk.replace(TASK, ', out: "4"', "")
    assert any("stdin.cases[0].out: is missing" in problem for problem in desk.problems())
