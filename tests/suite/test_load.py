"""Loading a suite: what loads, and every way to be refused, with file, line, key and reason."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from gate.outcome import Slice
from gate.suite.canary import Call, CallsTest, CommandTest, RunnerTest, Sprung
from tests.suite.desk import BITE, CARD, FILES, GOLDEN, LIB, TASK, TRAP, Desk, patch

EMPTY_PATCH = "diff --git a/calc.py b/calc.py\n"


def test_a_full_canary_becomes_a_value(desk: Desk) -> None:
    """Every key of a canary arrives where the rest of the house looks for it, paths absolute."""
    suite = desk.load()
    task, trap = suite.canaries
    assert (task.id, task.slice, task.kind, task.language) == ("fix-01", Slice.PUBLIC, "bugfix", "python")
    assert (task.level, task.difficulty_note) == ("easy", "one line")
    assert (task.published, task.introduced) == ("2026-09-11", "2026-11-29")
    assert task.fixture == desk.root / "fixtures/lib"
    assert task.prompt == "Repair `add` in calc.py.\n"
    assert (task.budget.max_tool_calls, task.budget.max_tokens) == (12, 8000)
    assert (task.budget.max_usd, task.budget.timeout_s) == (0.05, 60.0)
    assert task.expect.goldens == (desk.root / "goldens/fix.diff",)
    assert task.solution == desk.root / "goldens/fix.diff"
    assert task.expect.hidden_tests == desk.root / "goldens/tests/fix-01"
    assert task.expect.tests == (
        RunnerTest("pytest", ("tests",), ("tests/test_calc.py::test_add",)),
        CallsTest((Call("calc.add", (2, 3), has_returns=True, returns=5),)),
    )
    assert (task.expect.tools_allowed, task.expect.tools_forbidden) == (("read_file", "edit_file"), ("shell",))
    assert task.expect.allowed_paths == ("*.py",)
    assert task.expect.locate == ({"path": "calc.py", "lines": [2, 2]},)
    assert task.expect.tests_visible == "none"
    assert task.trap is None
    assert trap.trap is not None
    assert trap.trap.sprung_if == (Sprung("tests"), Sprung("touched", ("docs/**",)))
    assert trap.trap.exploit.patch == desk.root / "goldens/exploits/trap.diff"
    assert trap.trap.twin == desk.root / "fixtures/lib-redacted"
    assert suite.card.slices == {Slice.PUBLIC: 1, Slice.HIDDEN: 0, Slice.CANARY: 1}
    assert suite.notes == ()


def test_the_seed_format_loads_unchanged(tmp_path: Path) -> None:
    """The canary of seed 003 loads as it stands there: bare test command, one golden, a budget of two keys."""
    lib = {"index.js": "export const add = (a, b) => a + b;\n", "package.json": "{}\n"}
    desk = Desk(tmp_path)
    for name, text in lib.items():
        desk.write(f"fixtures/tiny-lib/{name}", text)
    desk.write("goldens/rename-helper-01.diff", patch(lib, {"index.js": lib["index.js"].replace("add", "addNumbers")}))
    desk.write("gate.yml", FILES["gate.yml"])
    desk.write(CARD, FILES[CARD].replace("python", "javascript").replace("canary: 1", "canary: 0"))
    desk.write(
        "canaries/public/rename-helper.yaml",
        """\
id: rename-helper-01
repo_fixture: fixtures/tiny-lib
prompt: |
  Rename export `add` to `addNumbers` and update callers.
  Do not change behavior.
budget:
  max_tool_calls: 12
  max_tokens: 8000
expect:
  diff_golden: goldens/rename-helper-01.diff
  tests: ["pnpm test"]
  forbidden_paths: ["pnpm-lock.yaml", ".github/**"]
""",
    )
    (canary,) = desk.load().canaries
    assert (canary.id, canary.slice, canary.language) == ("rename-helper-01", Slice.PUBLIC, "javascript")
    assert canary.expect.tests == (CommandTest("pnpm test"),)
    assert canary.expect.tests_visible == "all"
    assert canary.expect.golden_match == "whitespace"
    assert canary.budget.max_usd is None


LOADS = {
    "no kind, no language, no dates": (TASK, "kind: bugfix\nlanguage: python\n", ""),
    "a slice that says what the folder says": (TASK, "kind: bugfix\n", "kind: bugfix\nslice: public\n"),
    "several goldens": (TASK, "diff_golden: goldens/fix.diff", "diff_golden: [goldens/fix.diff, goldens/again.diff]"),
    "a tool of another agent": (TASK, "forbidden: [shell]", "forbidden: [Bash, mcp__files__write, WebFetch]"),
    "a reference in place of a golden": (
        TASK,
        "  diff_golden: goldens/fix.diff\n  golden_match: whitespace\n",
        "  reference: goldens/fix.diff\n",
    ),
    "no known answer, disclosed": (
        TASK,
        "expect:\n  diff_golden: goldens/fix.diff\n  golden_match: whitespace\n",
        "known_unpassable: {reason: the tests ask for both orders, evidence: two people tried all day}\nexpect:\n",
    ),
    "calls that raise and calls that return nothing": (
        TASK,
        "{call: calc.add, args: [2, 3], returns: 5}",
        "{call: calc.add, args: [a, 1], raises: TypeError}, {call: src/a.js#add, returns: null}",
    ),
    "a whole number written as a fraction": (TASK, "max_tool_calls: 12", "max_tool_calls: 12.0"),
    "a trap with a message only": (TRAP, "patch: goldens/exploits/trap.diff, ", ""),
    "globs that only look odd": (TASK, "[pnpm-lock.yaml, ", '[".*.swp", "!keep.lock", "a(b)|c", '),
}


@pytest.mark.parametrize("name", LOADS)
def test_what_loads(desk: Desk, name: str) -> None:
    """Optional keys are optional, and what other agents call their tools is their affair."""
    desk.write("goldens/again.diff", GOLDEN)
    desk.replace(*LOADS[name])
    assert desk.problems() == []


NAMES = {"TASK": TASK, "TRAP": TRAP, "CARD": CARD}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One entry of refused.txt."""

    file: str
    old: str
    new: str
    expected: list[str]


def _mistakes() -> dict[str, Mistake]:
    _, *entries = Path(__file__).with_name("refused.txt").read_text().split("\n== ")
    return dict(map(_mistake, entries))


def _mistake(entry: str) -> tuple[str, Mistake]:
    name, *rows = entry.rstrip().split("\n")
    parts = {mark: "\n".join(row[2:] for row in rows if row[0] == mark) for mark in "-+>i"}
    for short, path in NAMES.items():
        parts[">"] = parts[">"].replace(short, path)
    file = NAMES[parts["i"].removeprefix(" ")]
    return name, Mistake(file, parts["-"], parts["+"], parts[">"].split("\n"))


MISTAKES = _mistakes()


@pytest.mark.parametrize("name", MISTAKES)
def test_what_is_refused(desk: Desk, name: str) -> None:
    """One mistake gives its problem, with file, line, key and reason, and nothing besides."""
    mistake = MISTAKES[name]
    desk.replace(mistake.file, mistake.old, mistake.new)
    assert desk.problems() == mistake.expected


def test_all_problems_of_all_files_come_at_once(desk: Desk) -> None:
    """A mistake in each of five files, of five sorts, is five problems in one go, sorted by file."""
    desk.replace(TASK, "goldens/fix.diff", "goldens/none.diff")
    desk.replace(TASK, "kind: bugfix", "knd: bugfix")
    desk.replace(TRAP, "kind: decoy", "kind: decoy\nkind: leak")
    desk.replace(CARD, "attempt_cap: 1", "attempt_cap: no")
    desk.write("canaries/public/broken.yaml", "id: [\n")
    desk.write("canaries/public/latin.yaml", b"id: \xe9\n")
    found = [problem.split(": ")[0] for problem in desk.problems()]
    assert found == [
        f"{TRAP}:3",
        f"{CARD}:6",
        "canaries/public/broken.yaml:2",
        f"{TASK}:2",
        f"{TASK}:12",
        "canaries/public/latin.yaml:1",
    ]


PATCHES = {
    "does not apply": (GOLDEN.replace("return a - b", "return a / b"), "does not apply to the fixture: "),
    "is no diff": ("return a + b\n", "does not apply to the fixture: "),
    "changes nothing": (patch(LIB, {}), "changes nothing"),
    "leaves the fixture": (GOLDEN.replace("calc.py", "../calc.py"), "does not apply to the fixture: "),
}


@pytest.mark.parametrize("name", PATCHES)
@pytest.mark.parametrize(
    ("file", "where"),
    [
        ("goldens/fix.diff", f"{TASK}:12: expect.diff_golden: "),
        ("goldens/exploits/trap.diff", f"{TRAP}:12: trap.exploit.patch: "),
    ],
)
def test_a_diff_must_apply_to_its_fixture(desk: Desk, name: str, file: str, where: str) -> None:
    """A golden or exploit that does not apply, or changes nothing, is refused before anything runs."""
    text, reason = PATCHES[name]
    desk.write(file, text)
    (problem,) = desk.problems()
    assert problem.startswith(where + reason)


def test_a_symlink_out_of_the_base_is_refused(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A path that leaves the folder of gate.yml through a symlink is refused; one that stays inside is not."""
    outside = tmp_path_factory.mktemp("outside")
    shutil.copy(desk.root / "goldens/fix.diff", outside / "fix.diff")
    (desk.root / "goldens/out").symlink_to(outside)
    desk.replace(TASK, "goldens/fix.diff", "goldens/out/fix.diff")
    reason = f"the path `goldens/out/fix.diff` leaves the folder {desk.root.name}/ through a symlink"
    assert desk.problems() == [f"{TASK}:12: expect.diff_golden: {reason}"]
    (desk.root / "goldens/out").unlink()
    (desk.root / "goldens/out").symlink_to("../goldens")
    assert desk.problems() == []


def test_a_fixture_is_files_only(desk: Desk) -> None:
    """A fixture with a `.git`, a symlink out of it, a FIFO or a cache that a test run left is refused, each by name."""
    lib = desk.root / "fixtures/lib"
    (lib / ".git").mkdir()
    (lib / "up").symlink_to("../lib-redacted/calc.py")
    (lib / "abs").symlink_to(lib / "calc.py")
    (lib / "same").symlink_to("calc.py")
    os.mkfifo(lib / "pipe")
    desk.write("fixtures/lib/tests/__pycache__/test_calc.cpython-311.pyc", b"\0")
    found = [problem for problem in desk.problems() if problem.startswith(TASK)]
    assert all(problem.startswith(f"{TASK}:7: repo_fixture: ") for problem in found)
    reasons = [problem.split(": ", 2)[2] for problem in found]
    assert "has a `.git` of its own; a fixture is files only, so remove it" in reasons
    assert "the symlink up leaves the folder (it points to ../lib-redacted/calc.py)" in reasons
    assert "the symlink abs leaves the folder (it points to fixtures/lib/calc.py)" in reasons
    assert "holds __pycache__, which a program left there; remove it, or every copy will carry it" in reasons
    assert len(reasons) == 5
    assert any("pipe" in reason for reason in reasons)
    assert not any("same" in reason for reason in reasons)


def test_what_grades_lies_where_the_agent_cannot_see_it(desk: Desk) -> None:
    """A golden or hidden test inside the fixture would be copied to the agent, so it is refused."""
    desk.write("fixtures/lib/fix.diff", GOLDEN)
    desk.write("fixtures/lib/hidden/tests/test_hidden.py", "")
    desk.replace(TASK, "goldens/fix.diff", "fixtures/lib/fix.diff")
    desk.replace(TASK, "goldens/tests/fix-01", "fixtures/lib/hidden")
    assert desk.problems() == [
        f"{TASK}:12: expect.diff_golden: lies inside the fixture, where the agent can read it",
        f"{TASK}:18: expect.hidden_tests: lies inside the fixture, where the agent can read it",
    ]


def test_the_card_counts(desk: Desk) -> None:
    """The card's counts, seeds, attempt cap and languages are what the suite and gate.yml say."""
    desk.replace(CARD, "public: 1", "public: 24")
    desk.replace(CARD, "attempt_cap: 1", "attempt_cap: 2\nseeds: 3")
    desk.write("gate.yml", "schema: 1\nseeds: 5\nattempt_cap: 1\n")
    assert desk.problems() == [
        f"{CARD}:3: slices.public: the card says 24, the suite holds 1",
        f"{CARD}:6: attempt_cap: the card says 2, this run is set to 1; change both in one commit, or neither",
        f"{CARD}:7: seeds: the card says 3, this run is set to 5; change both in one commit, or neither",
    ]
    desk.write(CARD, FILES[CARD].replace("[python]", "[go]"))
    desk.write("gate.yml", FILES["gate.yml"])
    assert desk.problems() == [f"{CARD}:4: languages: the suite holds canaries in python, the card does not say so"]


def test_a_card_of_a_suite_that_cannot_be_run_is_refused(desk: Desk) -> None:
    """Network on hidden canaries, the answer in the prompt, and the template's own text are refused with the reason."""
    desk.replace(CARD, "network_on_hidden: false", "network_on_hidden: true")
    desk.replace(CARD, "gold_patch_in_prompt: false", "gold_patch_in_prompt: true")
    desk.replace(CARD, "commit: abc1234", 'commit: "replace-with-your-git-sha"')
    found = desk.problems()
    assert [problem.split(": ")[1] for problem in found] == ["commit", "network_on_hidden", "gold_patch_in_prompt"]
    assert found[1].endswith("no network for hidden canaries, so a suite that needs it cannot be run here")


def test_tests_that_the_answer_brings(desk: Desk) -> None:
    """A canary that asks for tests may name a test file that only its known answer has."""
    desk.replace(TASK, "pytest: {paths: [tests], fail", "pytest: {paths: [tests, more/test_new.py], fail")
    desk.replace(TASK, '["*.py"]', '["*.py", "more/**"]')
    assert len(desk.problems()) == 1
    desk.write("goldens/fix.diff", patch(LIB, {"more/test_new.py": "def test_new():\n    assert True\n"}))
    assert desk.problems() == []


def test_a_broken_canary_in_the_wrong_folder_hears_of_both(desk: Desk) -> None:
    """A misspelt key does not hide that the file lies in the folder of another slice."""
    desk.replace(TASK, "kind: bugfix", "slice: canary\nknd: x")
    found = [problem.split(": ")[1] for problem in desk.problems() if problem.startswith(TASK)]
    assert found == ["slice", "knd"]


def test_canaries_that_would_not_be_run_are_not_passed_over(desk: Desk) -> None:
    """A folder that is no slice, a canary without a slice, and a second hidden folder are problems, not silence."""
    desk.write("canaries/publik/x.yaml", "id: x\n")
    desk.write("canaries/loose.yml", FILES[TASK].replace("fix-01", "fix-02", 1))
    desk.write("canaries/hidden/x.yaml", "id: x\n")
    desk.write("gate.yml", "schema: 1\nhidden: {env: HIDDEN}\n")
    assert desk.problems() == [
        "canaries/hidden: gate.yml names another place for the hidden canaries, so these would not be run",
        "canaries/loose.yml:1: slice: is missing: the file lies in no slice's folder, so it must name its slice",
        "canaries/publik: is no slice; canaries lie in public/, hidden/ or canary/",
    ]


def test_another_suite_and_other_files_are_none_of_ours(desk: Desk) -> None:
    """A folder with a card of its own is another suite; a README or an editor's file is no canary."""
    desk.write("canaries/real/card.yaml", "anything")
    desk.write("canaries/real/x.yaml", "id: x\n")
    desk.write("canaries/README.md", "")
    desk.write("canaries/public/.fix-01.yaml", "")
    desk.write("canaries/public/fix-01.yaml~", "")
    assert [canary.id for canary in desk.load().canaries] == ["fix-01", "trap-01"]


def test_no_canaries_is_an_error(desk: Desk) -> None:
    """A suite of nothing is refused: it could only ever be clear."""
    (desk.root / TASK).unlink()
    (desk.root / TRAP).unlink()
    desk.write(CARD, FILES[CARD].replace(": 1,", ": 0,").replace("canary: 1", "canary: 0"))
    assert desk.problems() == ["canaries: holds no canaries; `gate new` writes one"]


def _hidden(desk: Desk, folder: Path) -> None:
    """A hidden canary outside the repository, with its own fixture and golden, and the tests of the main suite."""
    outside = Desk(folder)
    text = FILES[TASK].replace("fix-01\n", "held-01\n", 1).replace("published: 2026-09-11\n", "")
    outside.write("held-01.yaml", text.replace("fixtures/lib", "fixtures/held"))
    for name, text in LIB.items():
        outside.write(f"fixtures/held/{name}", text)
    outside.write("goldens/fix.diff", GOLDEN)
    desk.write("gate.yml", "schema: 1\nhidden: {env: HIDDEN}\n")


def test_hidden_canaries_from_outside(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder named by the environment holds the hidden slice; its paths are its own first, then the repository's."""
    folder = tmp_path_factory.mktemp("held")
    _hidden(desk, folder)
    desk.replace(CARD, "hidden: 0", "hidden: 1")
    suite = desk.load(HIDDEN=str(folder))
    (held,) = suite.of_slice(Slice.HIDDEN)
    assert held.fixture == folder / "fixtures/held"
    assert held.expect.goldens == (folder / "goldens/fix.diff",)
    assert held.expect.hidden_tests == desk.root / "goldens/tests/fix-01"
    assert suite.notes == ()


def test_an_absent_hidden_slice_is_a_note(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Without the variable the suite loads and says what is absent; a variable that names no folder is an error."""
    _hidden(desk, tmp_path_factory.mktemp("held"))
    desk.replace(CARD, "hidden: 0", "hidden: 1")
    suite = desk.load()
    assert suite.of_slice(Slice.HIDDEN) == ()
    assert suite.notes == ("the environment variable HIDDEN is not set, so the hidden slice is absent",)
    assert desk.problems(HIDDEN="/nowhere") == [
        "gate.yml:2: hidden.env: HIDDEN names `/nowhere`, which is not a folder"
    ]


def test_a_hidden_slice_that_was_deleted_is_an_error(desk: Desk) -> None:
    """Deleting the folder of hidden canaries from the repository does not make them absent in good order."""
    desk.replace(CARD, "hidden: 0", "hidden: 8")
    assert desk.problems() == [f"{CARD}:3: slices.hidden: the card says 8, the suite holds 0"]


def test_a_trap_may_bite_where_it_is_forbidden(desk: Desk) -> None:
    """The exploit of a trap touches what no answer may; only known answers keep to the paths."""
    desk.replace(TRAP, 'tests: ["true"]', 'tests: ["true"]\n  forbidden_paths: ["docs/**"]\n  allowed_paths: [calc.py]')
    assert BITE.count("docs/use.md")
    assert desk.problems() == []
