"""The schemas: each is a valid schema, closed to unknown keys, and says what this version really reads and writes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gate import resources
from gate.outcome import Check, CostState, Digests, Grade, Outcome, Slice, Status, Usage
from gate.policy import Policy
from gate.suite import lock as locks
from gate.suite import schema, yaml12
from gate.suite.rules import TASK_KINDS, TOOLS, TRAP_KINDS
from gate.suite.template import TASK_TEMPLATE
from gate.verdict.judge import judge
from gate.verdict.rows import read_rows
from tests.suite.desk import Desk

ROOT = Path(__file__).parents[2]
NAMES = ["audit", "canary", "card", "check", "gate", "grade", "lock", "outcome", "run", "stamp"]
SHA = "0" * 64


def text(name: str) -> dict[str, Any]:
    """A schema as it lies in the repository."""
    found: dict[str, Any] = json.loads((ROOT / f"schemas/{name}.schema.json").read_text())
    return found


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema of an object with named properties, however deep."""
    if isinstance(value, dict):
        if isinstance(value.get("properties"), dict) and "type" in value:
            yield value
        for item in value.values():
            yield from objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from objects(item)


def test_the_list_of_schemas() -> None:
    """There is one file for each format, and no other."""
    assert sorted(path.name for path in (ROOT / "schemas").iterdir()) == [f"{name}.schema.json" for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_closed_schema_with_a_version(name: str) -> None:
    """Draft 2020-12, an $id that ends in the version, and no object that would let a misspelt key pass."""
    content = text(name)
    Draft202012Validator.check_schema(content)
    assert content["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert content["$id"] == f"urn:canary-ci:schema:{name}:1"
    closed = list(objects(content))
    assert closed
    assert [one for one in closed if "additionalProperties" not in one and one is not content["properties"]] == []
    assert content["additionalProperties"] is False


@pytest.mark.parametrize("name", ["canary", "card", "gate"])
def test_every_pattern_is_said_in_words(name: str) -> None:
    """No message shows a regular expression where a person writes the file."""
    if name in {"canary", "card", "gate", "lock"}:
        patterns = {one["pattern"] for one in _dicts(text(name)) if isinstance(one.get("pattern"), str)}
        assert patterns - schema.PATTERNS.keys() <= {next(iter(_part_names()))}


def _part_names() -> set[str]:
    return {
        text("lock")["properties"]["canaries"]["additionalProperties"]["properties"]["parts"]["propertyNames"][
            "pattern"
        ]
    }


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _dicts(item)


def valid(name: str, value: Any) -> list[str]:
    """What a schema has against a value that went through JSON."""
    return [error.message for error in schema.validator(name).iter_errors(json.loads(json.dumps(value)))]


def outcome(status: Status = Status.PASSED) -> Outcome:
    """A row with every key."""
    return Outcome(
        id="fix-01",
        slice=Slice.PUBLIC,
        kind="bugfix",
        seed=0,
        status=status,
        reasons=(),
        graded_by="outcomes",
        tool_surface="local",
        digests=Digests(SHA, SHA, SHA, SHA, SHA, SHA),
        canary_sha256=SHA,
        dataset_commit=None,
        agent="oracle",
        tool_calls=0,
        tokens=Usage(),
        cost_usd=None,
        cost_state=CostState.UNPRICED,
        seconds=0.5,
        applied=True,
        located=None,
        patch_sha256=None,
        trial="trials/fix-01/0",
    )


@pytest.mark.parametrize("status", Status)
def test_rows_satisfy_their_schema(status: Status) -> None:
    """A row of every status is valid, its keys are exactly the schema's, and seed 002's row is valid as it stands."""
    row = outcome(status).to_row()
    assert valid("outcome", row) == []
    assert row.keys() == text("outcome")["properties"].keys()
    seed = {
        "id": "h-014",
        "slice": "hidden",
        "passed": False,
        "tool_surface": "local-container",
        "prompt_sha256": "abc",
    }
    assert valid("outcome", seed) == []
    assert valid("outcome", row | {"pased": True}) != []


def test_grades_satisfy_their_schema() -> None:
    """A grade and an unscored grade are valid; a grade without its checks is not."""
    grade = Grade.of((Check("tests", ok=True, reason="3 of 3"),), graded_by="outcomes", applied=True)
    assert valid("grade", grade.to_json()) == []
    assert valid("grade", Grade.unscored(Status.ERROR, "no fence").to_json()) == []
    assert valid("grade", {key: value for key, value in grade.to_json().items() if key != "checks"}) != []


@pytest.mark.parametrize("rows", [0, 1, 30])
def test_reports_satisfy_their_schema(tmp_path: Path, rows: int) -> None:
    """The report of no rows, of one and of many is valid, and every key of it is in the schema."""
    path = tmp_path / "outcomes.jsonl"
    slices = ("public", "hidden", "canary")
    lines = [json.dumps(outcome().to_row() | {"id": f"c-{n}", "slice": slices[n % 3]}) for n in range(rows)]
    path.write_text("".join(line + "\n" for line in lines))
    report = judge(read_rows(path), Policy()).to_json()
    assert valid("check", report) == []
    assert report.keys() == text("check")["properties"].keys()


def test_a_lock_satisfies_its_schema(desk: Desk) -> None:
    """The lock of a suite with every part is valid."""
    assert valid("lock", locks.compute(desk.load(), TASK_TEMPLATE)) == []


def test_the_shipped_files_satisfy_their_schemas() -> None:
    """Our own gate.yml, card and canaries are valid for any tool that knows JSON Schema, not only for this one."""
    shipped = sorted((ROOT / "canaries").glob("*/*.yaml"))
    assert len(shipped) >= 22
    for path in shipped:
        assert valid("canary", yaml12.load_file(path).data) == []
    assert valid("card", yaml12.load_file(ROOT / "canaries/card.yaml").data) == []
    assert valid("gate", yaml12.load_file(ROOT / "gate.yml").data) == []


def test_words_that_stand_in_schema_and_code_are_the_same() -> None:
    """Kinds, tools, slices and statuses are listed twice, and the lists agree."""
    canary = text("canary")["properties"]
    assert canary["kind"]["enum"] == [*TASK_KINDS, *TRAP_KINDS]
    assert canary["slice"]["enum"] == list(Slice)
    agent = text("gate")["properties"]["agents"]["additionalProperties"]["properties"]
    assert agent["tools"]["items"]["enum"] == list(TOOLS)
    for name in ("outcome", "grade"):
        assert text(name)["properties"]["status"]["enum"] == list(Status)
    assert text("gate")["properties"]["policy"]["properties"].keys() == set(Policy.__slots__)


def test_one_validator_is_made_and_kept() -> None:
    """A schema is read and compiled once in a process."""
    assert schema.validator("canary") is schema.validator("canary")


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    """Importing the room costs neither jsonschema nor yaml, and reads no file."""
    program = (
        "import sys; import gate.suite.load, gate.suite.lock, gate.suite.template, gate.commands.freeze; "
        "print(sorted({'jsonschema', 'yaml', 'pathspec', 'unidiff', 'subprocess'} & sys.modules.keys()))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout in {"[]\n", "['subprocess']\n"}


def test_schemas_are_found_in_a_checkout() -> None:
    """In a checkout, an editable installation included, they are those of the repository."""
    assert resources.folder("schemas") == ROOT / "schemas"


def test_schemas_are_found_in_a_wheel(tmp_path: Path) -> None:
    """A wheel carries them inside the package, where they are found with no checkout around."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    inside = build["force-include"]["schemas"]
    assert inside == "gate/_data/schemas"
    shutil.copytree(ROOT / "gate", tmp_path / "gate", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "schemas", tmp_path / inside)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from gate.suite import schema; "
        "schema.validator('run'); print(schema.resources.folder('schemas'))"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path / inside)


def test_an_installation_without_schemas_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A package that lost its data names what is missing."""
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "gate/resources.py"))
    with pytest.raises(FileNotFoundError, match="schemas/ is missing from this installation"):
        resources.folder("schemas")
