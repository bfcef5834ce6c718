"""One canary file on the way in: its data, where it lies, and the paths it names, resolved.

The functions here work on data that may be of any shape, so that a file with a misspelt key still hears of its
missing golden in the same go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from gate.errors import Problem
from gate.outcome import Slice
from gate.suite.folders import Source
from gate.suite.paths import BadPath, first_inside
from gate.suite.yaml12 import Document, KeyPath

PLACEHOLDER = "<fill in"

FIXTURE: KeyPath = ("repo_fixture",)
GOLDEN: KeyPath = ("expect", "diff_golden")
REFERENCE: KeyPath = ("expect", "reference")
HIDDEN_TESTS: KeyPath = ("expect", "hidden_tests")
EXPLOIT: KeyPath = ("trap", "exploit", "patch")
TWIN: KeyPath = ("trap", "twin")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A canary file. `paths` maps the key of each path that could be resolved to the real, absolute path."""

    document: Document
    source: Source
    paths: dict[KeyPath, Path] = field(default_factory=dict)

    @property
    def data(self) -> dict[str, Any]:
        """The top mapping; empty where the file holds something else."""
        return self.document.data if isinstance(self.document.data, dict) else {}

    @property
    def slice(self) -> Slice | None:
        """The slice that the file names, else that of its folder."""
        given = self.data.get("slice")
        return Slice(given) if given in set(Slice) else self.source.folder_slice

    def at(self, *key: str | int) -> Any:
        """The value at a key, or None where there is none."""
        value: Any = self.document.data
        for part in key:
            if isinstance(part, str) and isinstance(value, dict):
                value = value.get(part)
            elif isinstance(part, int) and isinstance(value, list) and part < len(value):
                value = value[part]
            else:
                return None
        return value

    def problem(self, key: KeyPath, reason: str) -> Problem:
        """A problem at a key of this file."""
        return self.document.problem(key, reason)

    def goldens(self) -> list[KeyPath]:
        """The key of each golden: one path, or a list of them."""
        value = self.at(*GOLDEN)
        return [(*GOLDEN, index) for index in range(len(value))] if isinstance(value, list) else [GOLDEN]


def placeholders(sheet: Sheet) -> list[Problem]:
    """What `gate new` wrote for a person to fill in, and nobody did."""
    return [
        sheet.problem(key, f"still to be filled in{text.strip()[len(PLACEHOLDER) :].rstrip('>')}")
        for key, text in _texts(sheet.document.data, ())
        if text.strip().startswith(PLACEHOLDER)
    ]


def _texts(value: Any, key: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _texts(item, (*key, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*key, index))


def resolve(sheet: Sheet) -> Iterator[Problem]:
    """Resolve every path that the file names into `sheet.paths`, and yield what is wrong with the others."""
    wanted: list[tuple[KeyPath, Literal["file", "folder"]]] = [(FIXTURE, "folder")]
    wanted += [(key, "file") for key in (*sheet.goldens(), REFERENCE, EXPLOIT)]
    wanted += [(HIDDEN_TESTS, "folder"), (TWIN, "folder")]
    for key, sort in wanted:
        name = sheet.at(*key)
        if not isinstance(name, str) or not name:
            continue
        try:
            path = first_inside(sheet.source.bases, name)
        except BadPath as error:
            yield sheet.problem(key, f"the path `{name}` {error}")
            continue
        if path.is_dir() if sort == "folder" else path.is_file():
            sheet.paths[key] = path
        else:
            yield sheet.problem(key, f"{'is not a ' + sort if path.exists() else 'no such ' + sort}: `{name}`")
