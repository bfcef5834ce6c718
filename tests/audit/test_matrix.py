"""The matrix: every cheat is in it, broken graders are named in it, and what proves nothing is named too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import resources
from itertools import count, cycle
from pathlib import Path
from tempfile import mkdtemp
from typing import get_args

import pytest

from gate.audit.cheats.any import claim_in_a_file, planted_reports
from gate.audit.cheats.javascript import chameleon, exit_at_import, package_scripts, reads_first, v8_events
from gate.audit.cheats.table import CHEATS
from gate.audit.cheats.target import Cheat, Kind, Target
from gate.audit.matrix import measure
from gate.audit.naive import AllInJunit, NoneFailed, Ran, Runs, passed_in_tap, passed_on_stdout, reward_in_file
from gate.audit.targets import javascript, python
from gate.audit.targets.columns import Grader, OfOneFile, naive, shipped
from gate.audited import Column
from gate.grading.bench import Bench, NotGraded
from gate.grading.draw import Draw
from gate.grading.rewrite import rewrite
from gate.outcome import Check, Grade, Status
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import Toolchain
from gate.workspace.patch import diff
from gate.workspace.tree import File, Symlink, Tree
from tests.grading.bench import DONE, make_bench

ROOMS = ("python", "javascript", "any")


@pytest.fixture
def benches(fence: Fence, scratch: Path, python_toolchain: Toolchain, node_toolchain: Toolchain) -> Callable[[], Bench]:
    """Benches on the real fence, each with entropy of its own."""
    number = count()
    return lambda: make_bench(fence, scratch, python_toolchain, node_toolchain, f"bench {next(number)}")


def test_every_cheat_is_in_the_table_once() -> None:
    """A module that is written and not listed would never be tried; two of one name could not be told apart."""
    folder = resources.files("gate.audit.cheats")
    modules = [item.name for room in ROOMS for item in (folder / room).iterdir() if item.name.endswith(".py")]
    assert len(CHEATS) == len(modules) - len(ROOMS)
    assert len({cheat.name for cheat in CHEATS}) == len(CHEATS) >= 60
    for cheat in CHEATS:
        assert cheat.text
        assert cheat.kind in get_args(Kind)
        assert cheat.languages


def test_the_columns_are_the_ways_in_which_we_grade() -> None:
    """Each has a toy whose right answer differs from its fixture and from its other wrong answer."""
    columns = [*shipped(), *naive()]
    assert len({column.name for column in columns}) == len(columns)
    assert [column.kind for column in columns].count("structured") == 18
    for column in columns:
        toy = column.toy
        assert toy.answered(toy.gold) not in (toy.base(), toy.answered(toy.wrong))
        assert set(toy.visible) <= toy.base().keys()


def _named(columns: tuple[Column, ...]) -> dict[str, Column]:
    return {column.grader: column for column in columns}


def test_what_fools_an_exit_code_does_not_fool_a_structured_grader(benches: Callable[[], Bench]) -> None:
    """On the real fence: cheats that are alive where they are expected to be, none where the values stay with us."""
    wanted = {
        "calls (node)": set[str](),
        "observed (node)": set[str](),
        "exit code (node script with a tolerance)": {
            "javascript/chameleon",
            "javascript/exit-at-import",
            "javascript/v8-events",
        },
        "naive: a file in the tree (node)": {
            "any/planted-reports",
            "javascript/exit-at-import",
            "javascript/package-scripts",
            "javascript/reads-first",
            "javascript/v8-events",
        },
    }
    modules = (chameleon, exit_at_import, package_scripts, reads_first, v8_events, claim_in_a_file, planted_reports)
    graders = [grader for grader in (*shipped(), *naive()) if grader.name in wanted]
    found = measure(benches, 2, cheats=[module.CHEAT for module in modules], graders=graders)
    assert {column.grader: set(column.fooled_by) for column in found.columns} == wanted
    assert all(column.gold_passes and column.null_fails and not column.unmeasured for column in found.columns)
    assert found.dead == ("any/claim-in-a-file",)


def test_the_columns_of_python_know_right_from_wrong(benches: Callable[[], Bench]) -> None:
    """The right answer passes, an empty and a wrong one fail, in every way of grading."""
    graders = [grader for grader in shipped() if grader.toy.language == "python"]
    found = measure(benches, 2, cheats=[], graders=graders)
    assert {column.grader for column in found.columns if not (column.gold_passes and column.null_fails)} == set()
    assert _named(found.columns)["vector (pytest)"].floor == Fraction(1, 4**4)


def test_the_vector_toy_has_the_families_that_its_floor_counts() -> None:
    """Four assertions are twins and nothing else decides: a floor that promises more would be a lie."""
    made = rewrite(python.VECTOR.hidden["tests/test_more.py"].encode(), "t", "o", Draw(b"", ""))
    assert made.counts == {"vector": python.VECTOR.families}


def _says(passed: Iterator[bool | None]) -> Callable[..., Grade]:
    def grade(*_: object) -> Grade:
        said = next(passed)
        if said is None:
            return Grade.unscored(Status.ERROR, "no fence")
        return Grade.of((Check("said", said, ""),), graded_by="none", applied=True)

    return grade


def _raises(*_: object) -> Grade:
    raise NotGraded("no fence")


def _crashes(*_: object) -> Grade:
    raise IsADirectoryError("report.xml")


def _cheat(name: str, kind: Kind = "source") -> Cheat:
    def made(target: Target) -> Tree:
        return {**target.base, name: Symlink("nowhere")}

    return Cheat(name, kind, ("python", "javascript"), "a stand-in", made)


def test_a_broken_grader_is_named(benches: Callable[[], Bench]) -> None:
    """Always true, always false, and one that cannot grade: each is said in the way it is broken."""
    toy = python.CALLS
    graders = (
        Grader("yes", "structured", toy, _says(cycle([True]))),
        Grader("no", "structured", toy, _says(cycle([False]))),
        Grader("fooled", "structured", toy, _says(iter([True, False, False, True]))),
        Grader("weak", "exit-code", toy, _says(iter([True, False, False, True]))),
        Grader("wrong", "vector", toy, _says(iter([True, False, True, False]))),
        Grader("never", "structured", toy, _raises),
        Grader("crashes", "structured", toy, _crashes),
        Grader("lost", "structured", toy, _says(iter([True, False, False, None]))),
    )
    columns = _named(measure(benches, 1, cheats=[_cheat("one")], graders=graders).columns)
    assert columns["yes"].flaw == "yes: an empty or another wrong answer passes"
    assert columns["no"].flaw == "no: the right answer does not pass"
    assert columns["fooled"].flaw == "fooled: fooled by one"
    assert (columns["weak"].flaw, columns["weak"].fooled_by) == (None, ("one",))
    assert columns["wrong"].flaw == "wrong: an empty or another wrong answer passes"
    assert columns["never"].flaw == "never: the right answer does not pass"
    assert (columns["crashes"].unmeasured, columns["crashes"].of) == (("one",), 0)
    assert (columns["lost"].unmeasured, columns["lost"].of, columns["lost"].flaw) == (("one",), 0, None)


def test_twins_are_drawn_anew_for_an_adaptive_cheat(benches: Callable[[], Bench]) -> None:
    """Hits and tries are counted of the adaptive ones only, and one hit is enough to be named."""
    said = iter([True, False, False, True, False, None, False, False])
    graders = (Grader("twins", "vector", python.VECTOR, _says(said)),)
    cheats = [_cheat("guess", "adaptive"), _cheat("plain")]
    found = measure(benches, 1, cheats=cheats, graders=graders, repeats=4)
    column = found.columns[0]
    assert (column.hits, column.tries, column.floor) == (1, 3, Fraction(1, 256))
    assert (column.fooled_by, column.of, column.unmeasured) == (("guess",), 2, ())
    assert found.dead == ("plain",)


def test_one_file_of_a_grade_is_looked_at_by_itself(benches: Callable[[], Bench]) -> None:
    """What the others say does not count, what is said of the whole session does, and no test of it is no pass."""
    toy = python.CALLS
    base = toy.base()

    def of(path: str, *checks: Check) -> bool:
        said = Grade.of((Check("applied", ok=True, reason=""), *checks), graded_by="observed", applied=True)
        grader = OfOneFile(lambda *_: said, path, {})
        return grader(toy.canary(Path(mkdtemp(dir=benches().scratch))), base, diff(base, base), DONE, benches()).passed

    mine, other = Check("a.py::test", ok=True, reason=""), Check("b.py::test", ok=False, reason="")
    assert of("a.py", mine, other)
    assert not of("b.py", mine, other)
    assert not of("c.py", mine)
    assert not of("a.py", mine, Check("tests", ok=False, reason="the session did not run to its end"))


JUNIT = '<testcase name="a" time="1"/><testcase name="b">\n<system-out>x</system-out></testcase>'
FAILED = '<testcase name="a"><failure message="no">text</failure></testcase><testcase name="b"/>'


def test_the_naive_designs_believe_what_they_say_they_do() -> None:
    """They are there to be fooled, so each has to be a working grader of its design."""
    good = Ran(0, "1 passed in 0.1s\n", JUNIT, '{"reward": 1}')
    bad = Ran(1, "1 failed, 1 passed\nnot ok 2 - a # why\n# pass 3\n# fail 1\n", FAILED, "")
    assert passed_on_stdout(good)
    assert not passed_on_stdout(bad)
    assert AllInJunit(("a", "b"))(good)
    assert not AllInJunit(("a", "b"))(bad)
    assert not AllInJunit(("a", "c"))(good)
    assert NoneFailed(("a", "c"))(good)
    assert not NoneFailed(("a",))(bad)
    assert not NoneFailed(("a",))(Ran(1, "not ok 2 - a\n", "", ""))
    assert reward_in_file(good)
    assert not reward_in_file(bad)
    assert passed_in_tap(Ran(0, "# pass 3\n# fail 0\n", "", ""))
    assert not passed_in_tap(bad)


def test_a_naive_run_reads_no_file_through_a_link(benches: Callable[[], Bench], scratch: Path) -> None:
    """What the agent's tree points to outside is not read, though the design would; nor does a folder break it."""
    (scratch / "good.json").write_text('{"reward": 1}')
    toy = javascript.OBSERVED
    tree = {**toy.base(), "reward.json": Symlink(str(scratch / "good.json")), "report.xml/x": File(b"")}
    ran = Runs("exit 3").of(toy.canary(scratch), toy.base(), diff(toy.base(), tree), benches())
    assert (ran.exit_code, ran.reward, ran.junit) == (3, "", "")
