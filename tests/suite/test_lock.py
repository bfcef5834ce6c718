"""The lock: the same suite gives the same bytes, and every difference has a name."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gate.suite import lock as locks
from gate.suite.template import TASK_TEMPLATE
from tests.suite.desk import CARD, FILES, GOLDEN, LIB, TASK, TRAP, Desk

REMEDY = "; `gate freeze` writes it anew, in a change of its own"


def freeze(desk: Desk, **environ: str) -> locks.Lock:
    """Write the lock as `gate freeze` does."""
    lock = locks.compute(desk.load(**environ), TASK_TEMPLATE)
    locks.write(desk.root / "canaries/lock.json", lock)
    return lock


def differences(desk: Desk, template: str = TASK_TEMPLATE, **environ: str) -> list[str]:
    """What the check says, as `key: reason`, without the remedy that ends every line."""
    found = [str(problem) for problem in locks.check(desk.load(**environ), template)]
    assert all(text.endswith(REMEDY) for text in found)
    return [text.removeprefix(f"{desk.root}/canaries/lock.json: ").removesuffix(REMEDY) for text in found]


def test_a_fresh_lock_matches(desk: Desk) -> None:
    """A suite matches the lock that was just written, and the lock is read back as it was computed."""
    lock = freeze(desk)
    assert differences(desk) == []
    assert locks.read(desk.root / "canaries/lock.json") == lock
    assert set(lock["canaries"]["fix-01"]["parts"]) == {"canary", "fixture", "golden[0]", "hidden_tests"}
    assert set(lock["canaries"]["trap-01"]["parts"]) == {"canary", "fixture", "twin", "exploit"}
    assert locks.canary_digests(lock) == {name: entry["sha256"] for name, entry in lock["canaries"].items()}


def test_the_same_suite_gives_the_same_bytes(tmp_path: Path) -> None:
    """Another folder, another order of creation, other times and modes of folders: the same lock, byte for byte."""
    one, two = Desk.laid(tmp_path / "a"), Desk.laid(tmp_path / "b/c")
    for path in sorted((two.root / "fixtures").rglob("*"), reverse=True):
        os.utime(path, (0, 0))
    (two.root / "fixtures/lib/docs").chmod(0o700)
    freeze(one)
    freeze(two)
    first, second = ((desk.root / "canaries/lock.json").read_bytes() for desk in (one, two))
    assert first == second
    assert first.endswith(b"}\n")
    assert json.loads(first)["schema"] == 1


CHANGES = {
    "a comment in a canary": (TASK, "\n# harmless\n", ["canaries.fix-01.canary: has changed"]),
    "a golden": ("goldens/fix.diff", "\n", ["canaries.fix-01.golden[0]: has changed"]),
    "a hidden test": ("goldens/tests/fix-01/tests/test_hidden.py", "\n", ["canaries.fix-01.hidden_tests: has changed"]),
    "a fixture of two canaries": (
        "fixtures/lib/docs/use.md",
        "more\n",
        ["canaries.fix-01.fixture: has changed", "canaries.trap-01.fixture: has changed"],
    ),
    "a twin": ("fixtures/lib-redacted/calc.py", "\n", ["canaries.trap-01.twin: has changed"]),
    "an exploit": ("goldens/exploits/trap.diff", "\n", ["canaries.trap-01.exploit: has changed"]),
    "the card": (CARD, "# harmless\n", ["card: the dataset card has changed"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_part_is_named(desk: Desk, name: str) -> None:
    """A change to any file of the suite, a comment included, is one difference at the part that it belongs to."""
    file, more, expected = CHANGES[name]
    if name == "a fixture of two canaries":
        desk.write("goldens/exploits/trap.diff", GOLDEN)
    freeze(desk)
    with (desk.root / file).open("a") as out:
        out.write(more)
    assert differences(desk) == [f"{text} since the suite was frozen" for text in expected]


def test_the_executable_bit_belongs_to_a_fixture(desk: Desk) -> None:
    """A script that is no longer executable is another fixture."""
    freeze(desk)
    (desk.root / "fixtures/lib-redacted/calc.py").chmod(0o755)
    assert differences(desk) == ["canaries.trap-01.twin: has changed since the suite was frozen"]


def test_canaries_that_come_go_and_move_are_named(desk: Desk) -> None:
    """A new canary, a lost one, a part that is gone and a canary in another slice are differences by name."""
    freeze(desk)
    (desk.root / TRAP).unlink()
    text = FILES[TASK].replace("  hidden_tests: goldens/tests/fix-01\n", "").replace("published: 2026-09-11\n", "")
    (desk.root / TASK).unlink()
    desk.write("canaries/hidden/fix-01.yaml", text)
    desk.write("canaries/hidden/more.yaml", text.replace("fix-01", "more-01", 1))
    desk.replace(CARD, "{public: 1, hidden: 0, canary: 1}", "{public: 0, hidden: 2, canary: 0}")
    since = "since the suite was frozen"
    assert differences(desk) == [
        f"card: the dataset card has changed {since}",
        "canaries.fix-01: was in the slice public and is now in hidden",
        f"canaries.fix-01.canary: has changed {since}",
        f"canaries.fix-01.hidden_tests: is gone {since}",
        "canaries.more-01: is not in the lock",
        "canaries.trap-01: is in the lock and no longer in the suite",
    ]


def test_the_prompt_template_is_locked(desk: Desk) -> None:
    """Another prompt template is another suite."""
    freeze(desk)
    assert differences(desk, TASK_TEMPLATE + " ") == [
        "prompt_template: the prompt template has changed since the suite was frozen"
    ]


@pytest.mark.parametrize("path", [("suite",), ("canaries", "fix-01", "sha256")])
def test_a_lock_edited_by_hand_does_not_match(desk: Desk, path: tuple[str, ...]) -> None:
    """The digests over other digests are checked as well, since rows and baselines carry them."""
    lock = freeze(desk)
    place = lock
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = "0" * 64
    locks.write(desk.root / "canaries/lock.json", lock)
    assert any("edited by hand" in text for text in differences(desk))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "the suite is not frozen; run `gate freeze` and commit the lock"),
        ("", "is not JSON: "),
        ("<<<<<<< ours\n", "is not JSON: "),
        ("[" * 100_000, "is nested too deep to be a lock"),
        ("[]", "expected a mapping, got a list"),
        ("{}", "canaries: is missing"),
        (
            '{"schema": 1, "suite": "x", "card": "", "prompt_template": "", "canaries": {}}',
            "card: expected a sha256 in hex",
        ),
    ],
)
def test_a_lock_that_is_none_is_a_problem(desk: Desk, text: str | None, reason: str) -> None:
    """A missing lock, a merge conflict and a file of another kind are named; the check never raises."""
    if text is not None:
        desk.write("canaries/lock.json", text)
    first = min(str(problem) for problem in locks.check(desk.load(), TASK_TEMPLATE))
    assert reason in first


def test_an_absent_hidden_slice_still_matches(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where the hidden folder is absent in good order the rest is checked; where it is there, its canaries are."""
    folder = tmp_path_factory.mktemp("held")
    held = Desk(folder)
    text = FILES[TASK].replace("fix-01\n", "held-01\n", 1).replace("published: 2026-09-11\n", "")
    held.write("held-01.yaml", text)
    desk.write("gate.yml", "schema: 1\nhidden: {env: HIDDEN}\n")
    desk.replace(CARD, "hidden: 0", "hidden: 1")
    freeze(desk, HIDDEN=str(folder))
    assert differences(desk) == []
    held.write("held-01.yaml", text + "# more\n")
    assert differences(desk) == []
    assert differences(desk, HIDDEN=str(folder)) == ["canaries.held-01.canary: has changed since the suite was frozen"]
    with (desk.root / TASK).open("a") as out:
        out.write("# more\n")
    assert differences(desk) == ["canaries.fix-01.canary: has changed since the suite was frozen"]


def test_a_fixture_is_hashed_by_content_not_by_name(desk: Desk) -> None:
    """Two canaries with the same fixture share its digest; a file moved inside it makes another one."""
    lock = freeze(desk)
    fixture = lock["canaries"]["fix-01"]["parts"]["fixture"]
    assert fixture == lock["canaries"]["trap-01"]["parts"]["fixture"]
    assert LIB.keys() >= {"docs/use.md"}
    (desk.root / "fixtures/lib/docs/use.md").rename(desk.root / "fixtures/lib/docs/used.md")
    desk.write("goldens/exploits/trap.diff", GOLDEN)
    assert locks.compute(desk.load(), TASK_TEMPLATE)["canaries"]["fix-01"]["parts"]["fixture"] != fixture
