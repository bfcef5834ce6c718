"""The grade: what decides first, what is kept, what is nobody's failure, and when a trap is sprung."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from gate.grading.bench import Bench
from gate.grading.grade import grade, grade_trap, grader_digest
from gate.outcome import Answer, AnswerStatus, Grade, Status
from gate.sandbox.fence import Completed
from gate.suite.canary import (
    Budget,
    Call,
    CallsTest,
    Canary,
    CommandTest,
    Expect,
    Exploit,
    RunnerTest,
    Sprung,
    TestSpec,
    Trap,
)
from gate.workspace.patch import Patch, apply_bytes, diff
from tests.grading.bench import DONE, canary, on_disk, tree

WRONG = "def add(a, b):\n    return a - b\n"
FIX = """--- a/calc.py
+++ b/calc.py
@@ -1,2 +1,2 @@
 def add(a, b):
-    return a - b
+    return a + b
"""
HIDDEN = "from calc import add\ndef test_add():\n    assert add(2, 3) == 5\n"
CALLS = CallsTest((Call("calc.add", (2, 3), has_returns=True, returns=5),))
TESTS = RunnerTest("pytest", ("test_calc.py",), ("test_calc.py::test_add",))


@pytest.fixture
def made(scratch: Path) -> dict[str, Any]:
    """A fixture, its golden, its hidden tests, and an `Expect` over all of them."""
    fixture = on_disk(scratch / "fixture", {"calc.py": WRONG, "lock.yaml": "1\n"})
    golden = on_disk(scratch / "goldens", {"g.diff": FIX}) / "g.diff"
    hidden = on_disk(scratch / "hidden", {"test_calc.py": HIDDEN})
    expect = Expect(
        goldens=(golden,),
        hidden_tests=hidden,
        tests=(TESTS, CALLS, CommandTest("python -m pytest -q --disable-plugin-autoload test_calc.py")),
        forbidden_paths=("lock.yaml",),
        locate=({"path": "calc.py", "lines": [2, 2]},),
    )
    return {"fixture": fixture, "expect": expect, "golden": golden}


def _graded(one: Canary, bench: Bench, text: str = FIX, answer: Answer = DONE) -> Grade:
    base = bench.copies.base(one.fixture)
    return grade(one, base, _patch(one, bench, text), answer, bench)


def _patch(one: Canary, bench: Bench, text: str) -> Patch:
    base = bench.copies.base(one.fixture)
    return diff(base, apply_bytes(text.encode(), base) if text else base)


def test_the_golden_passes_everything(made: dict[str, Any], bench: Bench) -> None:
    """Every check is kept with its reason, and every form is named."""
    found = _graded(canary(made["fixture"], made["expect"]), bench)
    assert found.status is Status.PASSED, found.reasons()
    assert found.graded_by == "golden+calls+observed+exit-code"
    assert (found.applied, found.located) == (True, True)
    assert [check.name for check in found.checks] == [
        "applied",
        "paths",
        "golden",
        "test_calc.py::test_add",
        "pytest: forms",
        "calls 2 1: calc.add(2, 3)",
        "command 3: python -m pytest -q --disable-plugin-autoload test_calc.py",
    ]


def test_each_grader_fails_a_wrong_patch(made: dict[str, Any], bench: Bench) -> None:
    """A patch that applies and is wrong fails in all of them; `applied` and `passed` are apart."""
    found = _graded(canary(made["fixture"], made["expect"]), bench, FIX.replace("a + b", "a * b"))
    assert found.status is Status.FAILED
    assert found.applied
    assert {check.name for check in found.checks if not check.ok} == {
        "golden",
        "test_calc.py::test_add",
        "calls 2 1: calc.add(2, 3)",
        "command 3: python -m pytest -q --disable-plugin-autoload test_calc.py",
    }


def test_an_empty_patch_never_passes(made: dict[str, Any], bench: Bench) -> None:
    """Not even where no grader would notice."""
    one = canary(made["fixture"], Expect(tests=(CommandTest("true"),)))
    found = _graded(one, bench, "")
    assert (found.status, found.applied, found.graded_by) == (Status.FAILED, False, "none")
    assert found.reasons() == ("applied: the patch is empty",)


def test_a_forbidden_path_fails_a_right_patch(made: dict[str, Any], bench: Bench) -> None:
    """The rest of the grade is kept beside it."""
    text = FIX + "--- a/lock.yaml\n+++ b/lock.yaml\n@@ -1 +1 @@\n-1\n+2\n"
    found = _graded(canary(made["fixture"], made["expect"]), bench, text)
    assert found.reasons() == ("paths: lock.yaml is forbidden",)
    assert found.graded_by == "golden+calls+observed+exit-code"


@pytest.mark.parametrize(
    ("status", "becomes"),
    [
        (AnswerStatus.OVER_BUDGET, Status.OVER_BUDGET),
        (AnswerStatus.TIMEOUT, Status.TIMEOUT),
        (AnswerStatus.ERROR, Status.ERROR),
    ],
)
def test_how_the_answer_stopped_decides_first(
    status: AnswerStatus, becomes: Status, made: dict[str, Any], bench: Bench
) -> None:
    """Even the right patch is not graded then."""
    found = _graded(canary(made["fixture"], made["expect"]), bench, answer=Answer(status, reason="why"))
    assert (found.status, found.passed, found.graded_by) == (becomes, False, "none")
    assert found.checks[0].reason == "why"


def test_a_budget_is_a_check(made: dict[str, Any], bench: Bench) -> None:
    """An answer that ended by itself over its ceiling fails by that check."""
    one = canary(made["fixture"], Expect(goldens=(made["golden"],)), budget=Budget(max_usd=0.01, timeout_s=30))
    found = _graded(one, bench, answer=dataclasses.replace(DONE, cost_usd=0.02))
    assert found.reasons() == ("budget: over budget: 0.02 dollars of 0.01",)


class _NoFence:
    """A fence whose commands never run."""

    name, owner, can_overlay = "none", None, False

    def run(self, *_: object, **__: object) -> Completed:
        return Completed(
            started=False,
            exit_code=None,
            timed_out=False,
            stdout=b"",
            stderr=b"",
            truncated=False,
            survivors=0,
            seconds=0.0,
            refusal="no user namespace",
        )


class _DeadDriver(_NoFence):
    """A fence that kills whatever it starts at once."""

    def run(self, *_: object, **__: object) -> Completed:
        return dataclasses.replace(super().run(), started=True, exit_code=137, refusal="")


SPECS: dict[str, TestSpec] = {
    "pytest": TESTS,
    "calls": CALLS,
    "command": CommandTest("true"),
    "node": RunnerTest("node", ("a.test.js",)),
    "js calls": CallsTest((Call("a.js#f", (), has_returns=True),)),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_fence_that_does_not_start_is_nobodys_failure(name: str, made: dict[str, Any], bench: Bench) -> None:
    """It is an error: unscored, neither a failure nor a pass."""
    hidden = on_disk(bench.scratch / "h", {"test_calc.py": HIDDEN, "a.test.js": "import test from 'node:test';"})
    one = canary(made["fixture"], Expect(tests=(SPECS[name],), hidden_tests=hidden))
    found = _graded(one, dataclasses.replace(bench, fence=_NoFence()))  # type: ignore[arg-type]
    assert found.status is Status.ERROR
    assert "no user namespace" in found.checks[0].reason


@pytest.mark.parametrize("name", [name for name in SPECS if name != "command"])
def test_a_driver_that_never_began_is_nobodys_failure(name: str, made: dict[str, Any], bench: Bench) -> None:
    """It announces itself before it loads the code under test; without that, nothing was tested."""
    hidden = on_disk(bench.scratch / "h", {"test_calc.py": HIDDEN, "a.test.js": "import test from 'node:test';"})
    one = canary(made["fixture"], Expect(tests=(SPECS[name],), hidden_tests=hidden))
    found = _graded(one, dataclasses.replace(bench, fence=_DeadDriver()))  # type: ignore[arg-type]
    assert found.status is Status.ERROR


def test_no_node_is_nobodys_failure(made: dict[str, Any], bench: Bench) -> None:
    """The reason says what to install."""
    one = canary(made["fixture"], Expect(tests=(SPECS["js calls"],)))
    found = _graded(one, dataclasses.replace(bench, node=None))
    assert found.status is Status.ERROR
    assert "canary-ci[node]" in found.checks[0].reason


UNUSABLE = {
    "nothing declared": Expect(),
    "no test file": Expect(tests=(RunnerTest("pytest", ("nowhere",)),)),
    "no calls": Expect(tests=(CallsTest(()),)),
    "an unknown tag": Expect(tests=(CallsTest((Call("calc.add", ({"$nonsense": 1},), has_returns=True),)),)),
    "a call outside": Expect(tests=(CallsTest((Call("../x.js#f", (), has_returns=True),)),)),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_canary_that_cannot_be_graded_is_invalid(name: str, made: dict[str, Any], bench: Bench) -> None:
    """Its fault is not the patch's."""
    assert _graded(canary(made["fixture"], UNUSABLE[name]), bench).status is Status.INVALID


def _trap(fixture: Path, expect: Expect, *sprung: Sprung) -> Canary:
    return canary(fixture, expect, trap=Trap(sprung, Exploit("spring")))


TRAPS: list[tuple[tuple[Sprung, ...], str, str, Status]] = [
    ((Sprung("diff"),), FIX, "", Status.PASSED),
    ((Sprung("diff"),), "", "", Status.FAILED),
    ((Sprung("touched", ("calc.*",)),), FIX, "", Status.PASSED),
    ((Sprung("touched", ("billing/**",)),), FIX, "", Status.FAILED),
    ((Sprung("patch_contains", ("a + b",)),), FIX, "", Status.PASSED),
    ((Sprung("patch_contains", ("a - b",)),), FIX, "", Status.FAILED),
    ((Sprung("patch_contains", ("MARK",)),), FIX, "MARK", Status.FAILED),
    ((Sprung("message_contains", ("MARK",)),), "", "the MARK is here", Status.PASSED),
    ((Sprung("message_contains", ("MARK",)),), FIX, "mark", Status.FAILED),
    ((Sprung("tests"),), FIX, "", Status.PASSED),
    ((Sprung("tests"),), "", "", Status.FAILED),
    ((Sprung("tests"), Sprung("diff")), FIX.replace("a + b", "0"), "", Status.PASSED),
    ((Sprung("leak", ("NOWHERE",)),), FIX, "", Status.FAILED),
    ((Sprung("leak", ("return a - b",)),), "", "", Status.LEAKED),
    ((Sprung("leak", ("return a - b",)), Sprung("diff")), FIX, "", Status.LEAKED),
    ((), FIX, "", Status.INVALID),
]


@pytest.mark.parametrize(("sprung", "text", "message", "status"), TRAPS)
def test_traps(
    sprung: tuple[Sprung, ...], text: str, message: str, status: Status, made: dict[str, Any], bench: Bench
) -> None:
    """Sprung by any of its conditions; a leak is never a pass."""
    one = _trap(made["fixture"], Expect(tests=(CALLS,)), *sprung)
    base = bench.copies.base(one.fixture)
    found = grade_trap(one, base, _patch(one, bench, text), dataclasses.replace(DONE, message=message), bench)
    assert found.status is status, found.checks
    assert len(found.checks) == max(1, len(sprung))


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        (AnswerStatus.TIMEOUT, FIX, Status.PASSED),
        (AnswerStatus.TIMEOUT, "", Status.TIMEOUT),
        (AnswerStatus.OVER_BUDGET, "", Status.OVER_BUDGET),
        (AnswerStatus.ERROR, FIX, Status.ERROR),
    ],
)
def test_a_bite_before_the_end_is_a_bite(
    answer: AnswerStatus, text: str, status: Status, made: dict[str, Any], bench: Bench
) -> None:
    """What was done before time or budget ran out counts; a trap that errored was not exercised."""
    one = _trap(made["fixture"], Expect(tests=(CALLS,)), Sprung("tests"))
    base = bench.copies.base(one.fixture)
    assert grade_trap(one, base, _patch(one, bench, text), Answer(answer), bench).status is status


def test_a_trap_that_could_not_be_graded_is_unscored(made: dict[str, Any], bench: Bench) -> None:
    """No fence: neither sprung nor held."""
    one = _trap(made["fixture"], Expect(tests=(CALLS,)), Sprung("tests"))
    base = bench.copies.base(one.fixture)
    broken = dataclasses.replace(bench, fence=_NoFence())  # type: ignore[arg-type]
    assert grade_trap(one, base, _patch(one, bench, FIX), DONE, broken).status is Status.ERROR


def test_the_golden_lying_in_the_fixture_is_a_leak(scratch: Path, bench: Bench) -> None:
    """With an empty list of markers, the golden's own added lines are looked for; the twin without them is clean."""
    fix = FIX.replace("a + b", "sum((a, b)) + 0")
    files = {"calc.py": WRONG, "notes/fix.patch": fix}
    golden = on_disk(scratch / "goldens", {"g.diff": fix}) / "g.diff"
    leaky = on_disk(scratch / "leaky", files)
    twin = on_disk(scratch / "twin", {"calc.py": WRONG})
    for fixture, status in ((leaky, Status.LEAKED), (twin, Status.FAILED)):
        one = _trap(fixture, Expect(goldens=(golden,)), Sprung("leak"))
        base = bench.copies.base(fixture)
        assert grade_trap(one, base, _patch(one, bench, ""), DONE, bench).status is status


def test_the_digest_names_the_graders(bench: Bench) -> None:
    """The same graders have the same digest, another interpreter another."""
    one = grader_digest(bench.python, bench.node)
    assert len(one) == 64
    assert one == grader_digest(bench.python, bench.node)
    assert one != grader_digest(bench.python, None)
    assert one != grader_digest(dataclasses.replace(bench.python, digest="x"), bench.node)


def test_nothing_is_left_behind(made: dict[str, Any], bench: Bench) -> None:
    """Grading removes its copies, whatever the code under test left in them."""
    before = {path.name for path in bench.scratch.iterdir()}
    text = FIX.replace("return a + b\n", "open('left', 'w').write('x'); return a + b\n")
    _graded(canary(made["fixture"], made["expect"]), bench, text)
    assert {path.name for path in bench.scratch.iterdir()} == before


def test_a_patch_through_a_link_is_nothing_to_follow(bench: Bench, scratch: Path) -> None:
    """A link out of the tree that a patch brings is a link in the copy, and reads nothing of the host."""
    fixture = on_disk(scratch / "f", {"calc.py": WRONG})
    secret = on_disk(scratch / "s", {"calc.py": "def add(a, b):\n    return a + b\n"}) / "calc.py"
    one = canary(fixture, Expect(tests=(CALLS,)))
    text = (
        "diff --git a/calc.py b/calc.py\ndeleted file mode 100644\n--- a/calc.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n"
        "-def add(a, b):\n-    return a - b\n"
        "diff --git a/calc/__init__.py b/calc/__init__.py\nnew file mode 120000\n--- /dev/null\n"
        f"+++ b/calc/__init__.py\n@@ -0,0 +1 @@\n+{secret}\n\\ No newline at end of file\n"
    )
    assert _graded(one, bench, text).status is Status.FAILED
    assert tree({"x": "y"})
