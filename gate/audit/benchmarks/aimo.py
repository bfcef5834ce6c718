"""Problems whose answer is a whole number: read from the message, written to a file, compared by the parent."""

from __future__ import annotations

import re
from typing import Any

from gate.agents.extract import Extracted
from gate.audit.benchmarks.recipe import BadField, Row, Task
from gate.audit.shapes import Shape
from gate.workspace.tree import File, Tree

ANSWER = "answer.txt"
_LAST = 20_000

_BOXED = re.compile(r"\\boxed\{\s*([-+]?\d{1,40})\s*\}")
_LINE = re.compile(
    r"^\W*(?:the\s+)?(?:final\s+)?answer(?:\s+is)?\s*[:=]?\W*?([-+]?\d{1,40})\W*$", re.IGNORECASE | re.MULTILINE
)
_BARE = re.compile(r"\s*([-+]?\d{1,40})\s*")


def whole(value: Any) -> int:
    """A whole number, also as text or as a float without a fraction. Raises BadField."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d+(\.0+)?\s*", value):
        value = int(value.split(".")[0])
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadField("is not a whole number")
    return value


def number_task(row: Row) -> Task:
    """The answer file is empty, the reference holds the number, and the next number is wrong."""
    due = row["answer"]
    return Task(
        prompt=row["problem"],
        language="other",
        base={ANSWER: File(b"")},
        golden={ANSWER: _file(due)},
        wrong={ANSWER: _file(due + 1)},
        golden_only=True,
    )


def _file(number: int) -> File:
    return File(f"{number}\n".encode())


def extract_number(message: str, base: Tree) -> Extracted:
    r"""The number that a message gives: the last `\boxed{n}`, else the last line "answer: n", else a bare number.

    Numbers in prose are no answer, however many there are.
    """
    message = message[-_LAST:]
    for shape, found in (("boxed", _BOXED.findall(message)), ("answer line", _LINE.findall(message))):
        if found:
            return Extracted({**base, ANSWER: _file(int(found[-1]))}, shape, "")
    bare = _BARE.fullmatch(message)
    if bare:
        return Extracted({**base, ANSWER: _file(int(bare[1]))}, "bare number", "")
    return Extracted(None, "", "the message gives no number as its answer")


def _said(after: Tree) -> str:
    node = after[ANSWER]
    return node.data.decode().strip() if isinstance(node, File) else ""


SHAPES: tuple[Shape, ...] = (
    Shape("boxed", lambda _before, after: f"\\boxed{{{_said(after)}}}\n"),
    Shape(
        "boxed in prose",
        lambda _before, after: (
            f"There are 12 cases, and 3 of them count twice.\n\nSo it is $\\boxed{{{_said(after)}}}$.\n"
        ),
    ),
    Shape("answer line", lambda _before, after: f"There are 12 cases, and 3 count twice.\n\nAnswer: {_said(after)}\n"),
    Shape("bare number", lambda _before, after: f"{_said(after)}\n"),
)
"""The forms in which a number is given in a message."""
