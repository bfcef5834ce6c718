"""What a recipe says of a benchmark, and what a row becomes by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate.agents.extract import Extracted, extract
from gate.audit.shapes import SHAPES, Shape
from gate.suite.canary import Language, TestSpec
from gate.workspace.tree import Tree


class RowProblem(Exception):
    """This row cannot be graded by the recipe; the message says why. The other rows go on."""


class SetAside(Exception):
    """This row is of another kind and is not counted; the message is the reason, the same for every such row."""


class BadField(Exception):
    """The value of one field is not what the recipe works with; the message goes on after the field's name."""


class Row:
    """One row of the data, of which only the fields that the recipe names can be read.

    `place` is the row's number in the file, from 1. `folder` is where the data lies, for what a row points to.
    """

    def __init__(self, values: Mapping[str, Any], place: int, folder: Path | None = None) -> None:
        self._values = dict(values)
        self.place = place
        self.folder = folder

    def __getitem__(self, name: str) -> Any:
        """A named field, checked. Raises KeyError for a field that the recipe does not name."""
        return self._values[name]

    def joined(self, *names: str) -> str:
        """Several text fields, one right after the other."""
        return "".join(self._values[name] for name in names)


@dataclass(frozen=True, slots=True)
class Task:
    """What a row becomes: the fixture, the same with the reference answer and with a wrong one, and the tests.

    `golden_only` says that the answer is compared with the reference itself, in the parent. `wrong` is certainly
    wrong: an answer that does nothing, or another number.
    """

    prompt: str
    language: Language
    base: Tree
    golden: Tree
    wrong: Tree
    tests: tuple[TestSpec, ...] = ()
    hidden: Tree = field(default_factory=dict)
    golden_only: bool = False


Reader = Callable[[Any], Any]
"""Checks one value and gives it in the form that the recipe works with. Raises BadField that says what is wrong."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a row becomes a task. Each field is named, none is guessed; what is not named cannot be read.

    `stub` names the fields that make what the agent gets, `answer` those that make the reference program, in this
    order, `tests` those that are graded; `more` are read besides. `task` names the field that names the task. `readers`
    are for fields that are something else than text. `optional` fields may be missing and are then None.
    """

    text: str
    task: str
    stub: tuple[str, ...]
    answer: tuple[str, ...]
    tests: tuple[str, ...]
    made: Callable[[Row], Task]
    more: tuple[str, ...] = ()
    readers: Mapping[str, Reader] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    shapes: tuple[Shape, ...] = SHAPES
    extract: Callable[[str, Tree], Extracted] = extract
    folder: bool = False

    def fields(self) -> tuple[str, ...]:
        """Every field that is read, each once."""
        return tuple(dict.fromkeys((self.task, *self.stub, *self.answer, *self.tests, *self.more)))

    def row(self, values: Any, place: int, folder: Path | None = None) -> Row:
        """The fields of a row, checked. Raises RowProblem with every field that is missing or of another type."""
        if not isinstance(values, dict):
            raise RowProblem("is not an object")
        out: dict[str, Any] = {}
        wrong = []
        for name in self.fields():
            if name not in values and name in self.optional:
                out[name] = None
                continue
            read: Reader = self.readers.get(name) or text
            try:
                out[name] = read(values[name])
            except KeyError:
                wrong.append(f"`{name}` is missing")
            except BadField as error:
                wrong.append(f"`{name}` {error}")
        if wrong:
            raise RowProblem("; ".join(wrong))
        return Row(out, place, folder)


@dataclass(frozen=True, slots=True)
class Exempt:
    """A benchmark that cannot be audited here, and why."""

    reason: str


def text(value: Any) -> str:
    """Text that is not blank."""
    if not isinstance(value, str):
        raise BadField(f"is {_sort(value)}, not text")
    if not value.strip():
        raise BadField("is blank")
    return any_text(value)


def any_text(value: Any) -> str:
    """Text that may be empty."""
    if not isinstance(value, str):
        raise BadField(f"is {_sort(value)}, not text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadField("is no text that a file can hold: it has half a character") from None
    return value


def name(value: Any) -> str:
    """A name: text, or a whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text(value)


def texts(value: Any) -> tuple[str, ...]:
    """A list of texts that is not empty."""
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise BadField(f"is {_sort(value)}, not a list of texts with an entry")
    return tuple(any_text(item) for item in value)


def any_texts(value: Any) -> tuple[str, ...]:
    """A list of texts that may be empty."""
    return texts(value) if value != [] else ()


def _sort(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
