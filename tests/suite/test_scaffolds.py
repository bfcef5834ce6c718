"""`gate init` and `gate new`: what they write, what they refuse to overwrite, and what is left to a person."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from gate.cli import run
from gate.outcome import Slice
from gate.suite import lock as locks
from gate.suite.rules import TASK_KINDS, TRAP_KINDS
from gate.suite.template import TASK_TEMPLATE
from tests.suite.desk import CARD, Desk


def test_init_writes_a_suite_that_is_locked_and_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One public canary, one hidden, one trap with its exploit, locked; and the steps that follow are printed."""
    desk = Desk(tmp_path / "new")
    assert run(["init", str(desk.root)]) == 0
    out, err = capsys.readouterr()
    suite = desk.load()
    assert [len(suite.of_slice(name)) for name in Slice] == [1, 1, 1]
    assert locks.check(suite, TASK_TEMPLATE) == []
    assert all(canary.solution for canary in suite.canaries if canary.slice is not Slice.CANARY)
    assert out == ""
    assert f"cd {desk.root}" in err
    assert "gate run" in err


def test_init_writes_the_same_bytes_every_time(tmp_path: Path) -> None:
    """Two scaffolds are equal file by file, the lock included, and hold no executable file."""
    trees = []
    for name in ("a", "b"):
        assert run(["init", str(tmp_path / name)]) == 0
        files = [path for path in (tmp_path / name).rglob("*") if path.is_file()]
        trees.append({path.relative_to(tmp_path / name): path.read_bytes() for path in files})
        assert not any(path.stat().st_mode & stat.S_IXUSR for path in files)
    assert trees[0] == trees[1]


@pytest.mark.parametrize("name", ["gate.yml", "canaries/lock.json", "fixtures/basket/basket/prices.py"])
def test_init_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """One file in the way, a dangling link included, is enough to write nothing at all."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to("nowhere")
    assert run(["init", str(tmp_path)]) == 64
    assert capsys.readouterr().err.endswith(f"nothing was written, because these exist already: {name}\n")
    assert [found for found in tmp_path.rglob("*") if not found.is_dir()] == [path]


def test_init_says_where_it_cannot_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file where a folder is due is named, without a traceback."""
    (tmp_path / "fixtures").write_text("")
    assert run(["init", str(tmp_path)]) == 64
    assert "cannot be written: " in capsys.readouterr().err


@pytest.fixture
def here(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The suite as the working folder."""
    monkeypatch.chdir(desk.root)
    return desk


KINDS = [("public", kind) for kind in TASK_KINDS] + [("hidden", "bugfix")] + [("canary", kind) for kind in TRAP_KINDS]


@pytest.mark.parametrize(("slice_", "kind"), KINDS)
@pytest.mark.parametrize("language", ["python", "javascript", "other"])
def test_a_skeleton_asks_to_be_filled_in(here: Desk, slice_: str, kind: str, language: str) -> None:
    """Every skeleton is well formed and refused only for its open places and for the card that does not count it."""
    assert run(["new", "mine-01", "--slice", slice_, "--kind", kind, "--language", language]) == 0
    file = f"canaries/{slice_}/mine-01.yaml"
    found = here.problems()
    own = [problem for problem in found if problem.startswith(file)]
    assert len(own) >= 6
    assert all("still to be filled in: " in problem for problem in own)
    (other,) = [problem for problem in found if problem not in own]
    assert other.startswith(f"{CARD}:3: slices.{slice_}: the card says ")


def test_a_skeleton_that_is_filled_in_loads(here: Desk) -> None:
    """With every open place filled the canary is one like any other."""
    assert run(["new", "mine-01", "--slice", "hidden"]) == 0
    file = here.root / "canaries/hidden/mine-01.yaml"
    answers = {
        "easy, medium or hard": "easy",
        "one line, such as: one failing test, at most two edited files": "one line",
        "a folder such as fixtures/my-lib": "fixtures/lib",
        "what the agent is asked to do, and what must not change": "Repair `add`.",
        "a file such as goldens/mine-01.diff": "goldens/fix.diff",
        "a test file in the fixture or in hidden_tests": "tests/test_calc.py",
    }
    text = file.read_text()
    for hole, answer in answers.items():
        assert text.count(f"<fill in: {hole}>") == 1
        text = text.replace(f"<fill in: {hole}>", answer)
    file.write_text(text)
    here.replace(CARD, "hidden: 0", "hidden: 1")
    assert [canary.id for canary in here.load().of_slice(Slice.HIDDEN)] == ["mine-01"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["fix-01"], "the id `fix-01` is taken by canaries/public/fix-01.yaml"),
        (["trap-01", "--slice", "public"], "the id `trap-01` is taken by canaries/canary/trap-01.yaml"),
        (["other"], "the id `other` is taken by canaries/public/other.yaml"),
        (["Mine"], "`Mine` is not an id"),
        (["../mine"], "`../mine` is not an id"),
        (["a" * 101], "is not an id"),
        (["mine", "--kind", "decoy"], "--kind decoy does not go with --slice public"),
        (["mine", "--slice", "canary", "--kind", "rename"], "--kind rename does not go with --slice canary"),
    ],
)
def test_what_new_refuses(here: Desk, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    """An id that a file claims, whatever it is called or else is wrong with it, and an id that is none, are refused."""
    here.write("canaries/public/other.yaml", "id: [\n")
    before = sorted(here.root.rglob("*"))
    assert run(["new", *arguments]) == 64
    assert reason in capsys.readouterr().err
    assert sorted(here.root.rglob("*")) == before


def test_new_writes_hidden_canaries_where_they_are_kept(
    here: Desk, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an outside folder a hidden canary is written there; without its variable it is written nowhere."""
    here.write("gate.yml", "schema: 1\nhidden: {env: GATE_TEST_HIDDEN}\n")
    assert run(["new", "mine", "--slice", "hidden"]) == 64
    folder = tmp_path_factory.mktemp("held")
    monkeypatch.setenv("GATE_TEST_HIDDEN", str(folder))
    assert run(["new", "mine", "--slice", "hidden"]) == 0
    assert [path.name for path in folder.iterdir()] == ["mine.yaml"]
    assert not (here.root / "canaries/hidden").exists()


def test_the_known_answers_of_the_scaffold_are_what_the_files_say(tmp_path: Path) -> None:
    """The scaffold's diffs are made from its files: each changes what its canary is about and nothing else."""
    run(["init", str(tmp_path)])
    assert "+def total_price(prices):" in (tmp_path / "goldens/rename-helper-01.diff").read_text()
    repaired = (tmp_path / "goldens/discount-off-by-one-01.diff").read_text()
    assert [line for line in repaired.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-    return 5 if pieces > 10 else 0",
        "+    return 5 if pieces >= 10 else 0",
    ]
