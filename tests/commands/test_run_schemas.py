"""What the verbs write is what `schemas/` says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.suite.schema import validator
from tests.commands.gate_process import gate


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of the scaffold."""
    folder = tmp_path_factory.mktemp("scaffold")
    assert gate("init", folder).code == 0
    done = gate("run", "--json", "--quiet", cwd=folder)
    assert done.code == 0, done.err
    return Path(done.report["run"]["folder"])


def wrong(name: str, value: Any) -> list[str]:
    """What the schema has against a value."""
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]


def documents(folder: Path) -> Iterator[tuple[str, Any]]:
    """Every document of a run with the schema that it is promised to keep."""
    yield "run", json.loads((folder / "run.json").read_text())
    yield "check", json.loads((folder / "report.json").read_text())
    for line in (folder / "outcomes.jsonl").read_text().splitlines():
        yield "outcome", json.loads(line)
    for path in folder.glob("trials/*/*/grade.json"):
        yield "grade", json.loads(path.read_text())


def test_every_document_of_a_run_keeps_its_schema(run_folder: Path) -> None:
    """run.json, report.json, every row and every grade validate."""
    names = [name for name, value in documents(run_folder) if not wrong(name, value)]
    problems = [(name, wrong(name, value)) for name, value in documents(run_folder) if wrong(name, value)]
    assert problems == []
    assert {"run", "check", "outcome", "grade"} == set(names)


@pytest.mark.parametrize("name", ["run", "check", "outcome", "grade"])
def test_the_schemas_refuse_what_is_not_theirs(run_folder: Path, name: str) -> None:
    """A document with a key too many or its first key missing does not validate."""
    value = next(value for found, value in documents(run_folder) if found == name)
    first = next(iter(value))
    assert wrong(name, {**value, "surprise": 1})
    assert wrong(name, {key: item for key, item in value.items() if key != first})
