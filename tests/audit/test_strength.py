"""How strong the tests of a canary are, measured on the real fence; and what is remembered of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.audit.kept import Kept, cache_folder
from gate.audit.rates import rates
from gate.audit.stand import audit_stand
from gate.audit.strength import outdated, strength, undisclosed
from gate.audited import Strength
from gate.errors import ConfigError
from gate.grading.bench import Bench
from gate.outcome import Answer, Check, Grade
from gate.suite.canary import Budget, Call, CallsTest, Canary, Expect, RunnerTest, Sprung, Trap, WeakTests
from gate.suite.canary import Exploit as Bite
from gate.suite.load import Suite
from gate.trials.stand import Stand
from gate.workspace.patch import Patch
from gate.workspace.tree import Tree
from tests.grading.bench import canary, on_disk
from tests.suite.desk import patch

BROKEN = {"shop.py": "def fee(days):\n    return 0\n"}
RIGHT = "def fee(days):\n    if days > 10:\n        return 5\n    return 0\n"
SHORT = "def fee(days):\n    return days\n"
WEAK = CallsTest((Call("shop.fee", (20,), has_returns=True, returns=5),))
STRONG = CallsTest(
    (Call("shop.fee", (11,), has_returns=True, returns=5), Call("shop.fee", (10,), has_returns=True, returns=0))
)
BOUNDARY = ("shop.py:2 days > 10 -> days >= 10", "shop.py:2 10 -> 11", "shop.py:2 10 -> 9")


@pytest.fixture(scope="module")
def stand() -> Iterator[Stand]:
    """What an audit works with."""
    with audit_stand("auto", None) as ready:
        yield ready


def fee(root: Path, *, tests: tuple[Any, ...], right: str = RIGHT, **more: Any) -> Canary:
    """A canary whose answer knows a boundary, with these tests."""
    fixture = on_disk(root / "fixture", BROKEN)
    diff = root / "answer.diff"
    diff.write_text(patch(BROKEN, {"shop.py": right}))
    more = {"goldens": (diff,)} if more.pop("compared", False) else {"reference": diff, **more}
    return canary(fixture, Expect(tests=tests, **more))


def test_weak_tests_let_wrong_versions_pass(stand: Stand, tmp_path: Path) -> None:
    """What a test does not look at survives by name; with the missing cases every wrong version is killed."""
    weak = strength(fee(tmp_path / "weak", tests=(WEAK,)), stand, jobs=2)
    assert weak is not None
    assert sorted(weak.survivors) == sorted(BOUNDARY)
    strong = strength(fee(tmp_path / "strong", tests=(STRONG,)), stand)
    assert strong is not None
    assert strong.rate == 1
    assert not strong.survivors
    assert not strong.unmeasured
    assert strong.of == weak.of > len(BOUNDARY) + 3


def test_a_golden_does_not_hide_weak_tests(stand: Stand, tmp_path: Path) -> None:
    """A golden that is compared rejects every version by itself, so the tests are counted without it."""
    found = strength(fee(tmp_path / "both", tests=(WEAK,), compared=True), stand, jobs=2)
    assert found is not None
    assert sorted(found.survivors) == sorted(BOUNDARY)
    compared = strength(fee(tmp_path / "compared", tests=(), compared=True), stand, jobs=2)
    assert compared is not None
    assert compared.rate == 1


def test_tests_that_the_fixture_passes_are_named(stand: Stand, tmp_path: Path) -> None:
    """The fixture is graded as if it were an answer: an empty patch would be rejected without a look at it."""
    asleep = CallsTest((Call("shop.fee", (0,), has_returns=True, returns=0),))
    found = strength(fee(tmp_path, tests=(asleep,), right=SHORT), stand, jobs=2)
    assert found is not None
    assert "shop.py:2 hunk dropped" in found.survivors


def test_a_test_that_cannot_fail_is_named(stand: Stand, tmp_path: Path) -> None:
    """A test that passes with every wrong version, and with every function emptied, is named; one that fails is not."""
    hidden = on_disk(
        tmp_path / "hidden",
        {
            "tests/test_shop.py": "import shop\n\n\n"
            "def test_fee():\n    assert shop.fee(10) < shop.fee(11)\n\n\n"
            "def test_it_is_there():\n    assert callable(shop.fee)\n"
        },
    )
    spec = RunnerTest("pytest", ("tests/test_shop.py",))
    found = strength(fee(tmp_path, tests=(spec,), right=SHORT, hidden_tests=hidden), stand, jobs=2)
    assert found is not None
    assert found.never_failed == ("tests/test_shop.py::test_it_is_there",)


def test_where_the_answer_does_not_pass_nothing_is_measured(stand: Stand, tmp_path: Path) -> None:
    """If the right answer is rejected, rejecting wrong ones means nothing; so the rate is none, and not one."""
    wrong = CallsTest((Call("shop.fee", (20,), has_returns=True, returns=7),))
    found = strength(fee(tmp_path, tests=(wrong,)), stand)
    assert found is not None
    assert (found.rate, found.killed) == (None, 0)
    assert found.unmeasured > 0


def test_a_version_that_never_ends_is_cut_short(stand: Stand, tmp_path: Path) -> None:
    """Wrong versions get the deadline that the right answer kept by far, not the hour that an agent may have."""
    one = fee(tmp_path, tests=(STRONG,))
    one = dataclasses.replace(one, budget=Budget(timeout_s=3600))
    deadlines = []

    def graders(given: Canary, _base: Tree, _patch: Patch, _answer: Answer, _bench: Bench) -> Grade:
        deadlines.append(given.budget.timeout_s)
        return Grade.of((Check("calls 1", ok=True, reason=""),), graded_by="calls", applied=True)

    found = strength(one, dataclasses.replace(stand, graders=graders))
    assert found is not None
    assert found.rate == 0
    assert deadlines[0] == 3600
    assert max(deadlines[1:]) < 60


def test_of_a_trap_nothing_is_said(stand: Stand, tmp_path: Path) -> None:
    """A trap has no right answer, and a canary that cannot pass has none that passes."""
    one = fee(tmp_path, tests=(WEAK,))
    assert strength(dataclasses.replace(one, trap=Trap((Sprung("diff"),), Bite("spring"))), stand) is None
    assert strength(dataclasses.replace(one, known_unpassable={"reason": "", "evidence": ""}), stand) is None


def test_what_a_canary_discloses(tmp_path: Path) -> None:
    """A disclosed version that survives is out of the count; one that does not survive any more is named."""
    one = dataclasses.replace(fee(tmp_path, tests=(WEAK,)), weak_tests=WeakTests("", ("a", "b")))
    found = Strength(3, ("b", "c"))
    assert outdated(one, found) == ("a",)
    assert undisclosed(one, found) == ("c",)


def test_a_strength_is_measured_once(tmp_path: Path, stand: Stand) -> None:
    """The second time it comes from the store, with no sandbox at all; for another digest it is measured again."""
    one = fee(tmp_path, tests=(WEAK,), right=SHORT.replace("days\n", "days // 4\n"))
    suite = Suite(tmp_path, tmp_path, (one,), stand.suite.card)
    store, told = Kept(tmp_path / "cache"), []

    def measured(digest: str, sandbox: str) -> dict[str, Strength]:
        return rates(suite, {one.id: digest}, store, jobs=2, say=lambda name, _: told.append(name), sandbox=sandbox)

    first = measured("1" * 64, "auto")
    assert told == [one.id]
    assert measured("1" * 64, "no such sandbox") == first
    assert told == [one.id]
    with pytest.raises(ConfigError, match="no such sandbox"):
        measured("2" * 64, "no such sandbox")
    for file in (tmp_path / "cache").iterdir():
        file.write_text(file.read_text().replace('"killed": ', '"killed": 1'))
    with pytest.raises(ConfigError, match="no such sandbox"):
        measured("1" * 64, "no such sandbox")


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"{",
        b"[1]",
        b'{"schema": 1, "key": "other", "value": {}}',
        b'{"schema": 2, "key": "k", "value": {}}',
        b"[" * 10**5,
    ],
)
def test_what_is_not_ours_is_not_remembered(tmp_path: Path, spoilt: bytes) -> None:
    """A value comes back as it was put; an entry that is cut short, garbage or of another key is none."""
    kept = Kept(tmp_path / "a" / "b")
    assert kept.get("k") is None
    kept.put("k", {"a": [1, None, "ä"]})
    assert kept.get("k") == {"a": [1, None, "ä"]}
    assert kept.get("K") is None
    (file,) = (tmp_path / "a" / "b").iterdir()
    file.write_bytes(spoilt)
    assert kept.get("k") is None
    kept.put("k", {"b": 2})
    assert kept.get("k") == {"b": 2}
    assert len(list((tmp_path / "a" / "b").iterdir())) == 1


@pytest.mark.parametrize("folder", [None, "/proc/nothing/here", "/dev/full/cache"])
def test_a_folder_that_takes_nothing_is_no_error(folder: str | None) -> None:
    """Where nothing can be written, nothing is remembered, and nobody is stopped by it."""
    kept = Kept(Path(folder) if folder else None)
    kept.put("k", {"a": 1})
    assert kept.get("k") is None


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"GATE_CACHE_DIR": "/c", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/c"),
        ({"GATE_CACHE_DIR": "", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/canary-ci"),
        ({"XDG_CACHE_HOME": "x", "HOME": "/h"}, "/h/.cache/canary-ci"),
        ({}, None),
    ],
)
def test_where_it_is_remembered(environ: dict[str, str], folder: str | None) -> None:
    """Our own variable comes first, then the user's cache folder; a relative one is ignored."""
    assert cache_folder(environ) == (Path(folder) if folder else None)
