"""Benchmarks under the audit: what is right passes, what is wrong does not, and a broken part is called broken."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gate.agents.extract import Extracted
from gate.audit.benchmarks import audit
from gate.audit.benchmarks.recipe import Exempt, Recipe, RowProblem
from gate.audit.benchmarks.swe import REPOSITORIES
from gate.audit.benchmarks.table import RECIPES
from gate.audit.benchmarks.task import desk_for, place_for
from gate.audit.shapes import SHAPES
from gate.audited import AuditVerdict, BenchAudit
from gate.grading.bench import Bench
from gate.grading.grade import graded
from gate.outcome import Answer, Check, Grade
from gate.suite.canary import Canary
from gate.workspace.patch import Patch, diff
from gate.workspace.tree import File, Tree, content
from tests.audit.benchmarks import samples
from tests.audit.benchmarks.conftest import Write

if TYPE_CHECKING:
    from gate.trials.stand import Stand

FENCED = tuple(shape for shape in SHAPES if shape.name == "fenced code in prose")
SHAPE = {"aimo": "boxed in prose", "swe": "fenced diff in prose"}
WRONG = ("humaneval-x", "livecodebench-stdin", "aimo", "swe")
"""Where the wrong answer is made in a way of its own; the others are functions that return None."""

FORMS = {"livecodebench-stdin": "stdin", "aimo": "golden"}


def _recipe(name: str, **changed: Any) -> Recipe:
    found = RECIPES[name]
    assert isinstance(found, Recipe)
    return replace(found, **changed)


def _audit(name: str, data: Path, stand: Stand, **changed: Any) -> BenchAudit:
    """One shape besides edits with tools, unless another is asked for: the rest is the same code with other text."""
    recipes: dict[str, Recipe | Exempt] = {name: _recipe(name, **{"shapes": FENCED, **changed})}
    return audit.audit_bench(name, audit.Options(data=data, jobs=2), stand, recipes)


def _staged(root: Path) -> Path:
    for path, text in samples.TREE.items():
        place = root / REPOSITORIES / "us__shop" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root


@pytest.mark.parametrize("name", samples.SAMPLES)
def test_the_reference_of_each_recipe_passes(stand: Stand, tmp_path: Path, name: str) -> None:
    """In a shape that agents send, through the real fence, in the form that keeps what is expected outside of it."""
    recipe, row = _recipe(name), samples.SAMPLES[name][-1]
    task = recipe.made(recipe.row(row, 1, _staged(tmp_path) if recipe.folder else None))
    shape = next(one for one in recipe.shapes if one.name == SHAPE.get(name, FENCED[0].name))
    with place_for(stand, name, "one") as place:
        desk = desk_for(place, name, "one", task, recipe, stand)
        reference = desk.say(shape.write(task.base, task.golden))
        assert reference.passed is True, reference.reason
        assert reference.grade.graded_by.split("+")[0] == FORMS.get(name, "observed")
        if name in WRONG:
            assert desk.submit(diff(task.base, task.wrong)).passed is False


def test_a_benchmark_passes_in_every_shape_and_rejects_what_is_wrong(stand: Stand, write: Write) -> None:
    """A row goes through all shapes; the counts say of how many tasks each holds."""
    recipes = {"human-eval": _recipe("human-eval")}
    said: list[str] = []
    options = audit.Options(data=write(samples.HUMAN_EVAL, samples.WITH_HELPER), limit=1, progress=said.append)
    found = audit.audit_bench("human-eval", options, stand, recipes)
    assert (found.verdict, found.checked, found.of, found.failures) == (AuditVerdict.PASS, 1, 1, ())
    assert found.shapes == dict.fromkeys(["tool edits", *(shape.name for shape in SHAPES)], 1)
    assert found.rejected == {kind: {"rejected": 1, "of": 1} for kind in ("wrong", "empty", "prose")}
    assert found.forms == {"observed": 1}
    assert said == []


def _raw(message: str, base: Tree) -> Extracted:
    """The defect that hid for a release: the whole reply is the program, prose and all."""
    return Extracted({path: File(message.encode()) for path in base}, "raw", "")


def _quick(canary: Canary, base: Tree, patch: Patch, answer: Answer, bench: Bench) -> Grade:
    """The shipped graders, except that what is no Python at all need not be run to be refused."""
    try:
        for change in patch.changes:
            compile(content(change.after) if change.after else b"", change.path, "exec")
    except (SyntaxError, ValueError):
        return Grade.of((Check("x", ok=False, reason="no Python"),), graded_by="none", applied=True, located=None)
    return graded(canary, base, patch, answer, bench)


def test_an_extractor_that_runs_the_raw_reply_is_broken(stand: Stand, write: Write) -> None:
    """It still passes what is no message, so only the shapes that agents send show it."""
    found = _audit("human-eval", write(samples.HUMAN_EVAL), replace(stand, graders=_quick), extract=_raw)
    assert found.verdict is AuditVerdict.BROKEN
    assert found.shapes == {"tool edits": 1, "fenced code in prose": 0}
    assert "does not pass in 1 shapes" in found.failures[0]


def _hardwired(stand: Stand, *, right: bool, reason: str = "hardwired") -> Stand:
    grade = Grade.of((Check("x", right, reason),), graded_by="none", applied=True, located=None)
    return replace(stand, graders=lambda *_: grade)


def test_a_grader_that_always_says_the_same_is_broken(stand: Stand, write: Write) -> None:
    """Always true lets wrong answers pass, always false the right one fail."""
    for right, said in ((True, "what is wrong passes"), (False, "the reference answer fails")):
        found = _audit("human-eval", write(samples.HUMAN_EVAL), _hardwired(stand, right=right), shapes=())
        assert found.verdict is AuditVerdict.BROKEN
        assert said in found.failures[0]


def test_a_missing_module_blocks_its_own_task_only(stand: Stand, write: Write) -> None:
    """A task that really imports what is not here is unverified; one that only says so is broken."""
    needs = {**samples.HUMAN_EVAL, "prompt": "import absent_arrays\n\n\n" + samples.HUMAN_EVAL["prompt"]}
    claims = {
        **samples.HUMAN_EVAL,
        "task_id": "HumanEval/990",
        "canonical_solution": "    raise ModuleNotFoundError(\"No module named 'absent_arrays'\")\n",
    }
    found = _audit("human-eval", write(needs, claims), stand, shapes=())
    assert found.blocked == {needs["task_id"]: ("absent_arrays",)}
    assert [failure.partition(":")[0] for failure in found.failures] == [claims["task_id"]]
    assert (found.verdict, found.checked, found.of) == (AuditVerdict.BROKEN, 0, 2)


def test_a_task_that_no_answer_can_pass_caps_the_score(stand: Stand, write: Write) -> None:
    """The disclosure holds for that failure of that task and for no other; its cap travels with the count."""
    recipe = _recipe("humaneval-plus")
    with place_for(stand, "plus", "32") as place:
        task = recipe.made(recipe.row(samples.UNPASSABLE, 1))
        real = desk_for(place, "plus", "32", task, recipe, stand).submit(diff(task.base, task.golden))
    assert real.passed is False
    data = write(samples.UNPASSABLE)
    found = _audit("humaneval-plus", data, _hardwired(stand, right=False, reason=real.reason), shapes=())
    assert (found.verdict, found.checked, found.of, found.cap) == (AuditVerdict.EXEMPT, 0, 1, "0/1 = 0.0%")
    assert list(found.excluded) == ["HumanEval/32"]
    other = _audit("humaneval-plus", data, _hardwired(stand, right=False, reason="ValueError"), shapes=())
    assert other.verdict is AuditVerdict.BROKEN


def test_malformed_rows_are_named_by_number_and_the_rest_goes_on(stand: Stand, write: Write) -> None:
    """Lines that are no row, rows without a field and doubled tasks are problems; the others are audited."""
    short = {key: value for key, value in samples.AIMO.items() if key != "answer"}
    data = write(samples.AIMO, "no json", short, samples.AIMO, {**samples.AIMO, "id": 2, "answer": 4.5})
    found = _audit("aimo", data, stand, shapes=_recipe("aimo").shapes[:1])
    assert found.verdict is AuditVerdict.BROKEN
    assert (found.checked, found.of) == (1, 5)
    assert found.failures == (
        "row 2: is not an object",
        "row 3 (911): `answer` is missing",
        "row 4 (911): the task 911 stands twice",
        "row 5 (2): `answer` is not a whole number",
    )


def test_what_cannot_be_audited_is_said_and_is_no_pass(stand: Stand, write: Write) -> None:
    """No data, an exemption, or no row of the kind: each verdict has its reason and nothing was checked."""
    options = audit.Options()
    for name, data, verdict, said in (
        ("mbpp", None, AuditVerdict.NOT_STAGED, "--data PATH"),
        ("webarena", None, AuditVerdict.EXEMPT, "browser"),
        ("livecodebench-stdin", write(samples.FUNCTIONAL), AuditVerdict.NOT_STAGED, "1 functional tasks belong to"),
        ("swe", write(samples.SWE), AuditVerdict.NOT_STAGED, "repos/"),
    ):
        found = audit.audit_bench(name, replace(options, data=data), stand)
        assert (found.verdict, found.checked, found.of) == (verdict, 0, 0)
        assert said in found.reason


def test_a_clone_gives_the_tree_at_the_commit_and_obeys_nothing_in_it(tmp_path: Path) -> None:
    """Attributes that leave files out and later commits change nothing; a commit that is not there is a problem."""
    root = _staged(tmp_path)
    place = root / REPOSITORIES / "us__shop"
    (place / ".gitattributes").write_text("*.py export-ignore\n*.txt export-subst filter=evil\n")
    (place / "note.txt").write_text("$Format:%H$\n")
    (place / "run.sh").write_text("#!/bin/sh\n")
    (place / "run.sh").chmod(0o755)
    (place / "link").symlink_to("note.txt")
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    person = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"]

    def git(*arguments: str) -> str:
        command = ["git", *person, "-C", str(place), *arguments]
        return subprocess.run(command, env=environ, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "one")
    commit = git("rev-parse", "HEAD")
    git("config", "filter.evil.smudge", f"touch {tmp_path / 'ran'}")
    (place / "shop" / "prices.py").write_text("later = True\n")
    git("commit", "-qam", "two")
    recipe = _recipe("swe")
    task = recipe.made(recipe.row({**samples.SWE, "base_commit": commit}, 1, root))
    assert set(task.base) == {*samples.TREE, ".gitattributes", "note.txt", "run.sh", "link"}
    assert task.base["shop/prices.py"] == File(samples.TREE["shop/prices.py"].encode())
    assert task.base["note.txt"] == File(b"$Format:%H$\n")
    assert task.base["run.sh"] == File(b"#!/bin/sh\n", executable=True)
    assert not (tmp_path / "ran").exists()
    with pytest.raises(RowProblem, match="base_commit"):
        recipe.made(recipe.row(samples.SWE, 1, root))
