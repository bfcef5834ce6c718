"""Every shape that the audit writes is read back as the answer that was meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.agents.extract import extract
from gate.audit.shapes import SHAPES, CannotCarry, Shape
from gate.workspace.tree import File, Node, Symlink, Tree

LINES = st.lists(
    st.sampled_from(
        ["def add(a, b):", "    return a - b", "", "x", "```", "~~~", "# calc.py", "=======", "@@ -1 +1 @@", "--- a"]
    ),
    min_size=1,
    max_size=12,
)
TEXT = LINES.map(lambda lines: "\n".join(lines) + "\n")
BY_NAME = {shape.name: shape for shape in SHAPES}


def _tree(files: dict[str, str]) -> dict[str, Node]:
    return {path: File(text.encode()) for path, text in files.items()}


def _back(shape: Shape, before: Tree, after: Tree) -> Tree | None:
    try:
        message = shape.write(before, after)
    except CannotCarry:
        return after
    return extract(message, before).tree


@pytest.mark.parametrize("name", [shape.name for shape in SHAPES if not shape.sole])
@settings(max_examples=60, deadline=None)
@given(old=TEXT, new=TEXT, other=TEXT)
def test_a_change_travels_whole(name: str, old: str, new: str, other: str) -> None:
    """Whatever stands in the files, fences and markers included, the answer that arrives is the one that was sent."""
    if old == new:
        return
    before = _tree({"src/calc.py": old, "README.md": other})
    after = _tree({"src/calc.py": new, "README.md": other, "src/more.py": other})
    got = _back(BY_NAME[name], before, after)
    # What the reader finds ambiguous is not taken at all; what is taken is never something else.
    assert got == after if name == "diff" else got in (after, None)


@pytest.mark.parametrize("name", [shape.name for shape in SHAPES if not shape.sole])
def test_an_ordinary_change_arrives_in_every_shape(name: str) -> None:
    """A fix in one file and a new file beside it: no shape is refused."""
    before = _tree({"src/calc.py": "def add(a, b):\n    return a - b\n", "README.md": "# Sums\n"})
    after = {**before, **_tree({"src/calc.py": RIGHT, "src/more.py": "ONE = 1\n"})}
    assert _back(BY_NAME[name], before, after) == after


RIGHT = "def add(a, b):\n    return a + b\n"
STUB = 'def add(a, b):\n    """The sum."""\n'


@pytest.mark.parametrize("name", [shape.name for shape in SHAPES if shape.sole])
def test_a_program_without_a_name_replaces_the_only_file(name: str) -> None:
    """Where there is one file, the answer needs no path, whether it is whole or goes on from a stub."""
    before, after = _tree({"solution.py": STUB}), _tree({"solution.py": STUB + "    return a + b\n"})
    assert _back(BY_NAME[name], before, after) == after


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ({}, "it deletes calc.py"),
        ({"calc.py": File(RIGHT.encode(), executable=True)}, "it changes the mode of calc.py"),
        ({"calc.py": Symlink("other.py")}, "calc.py is a link"),
        ({"calc.py": File(b"\xff\n")}, "calc.py is not UTF-8 text"),
        ({"calc.py": File(b"x = 1")}, "calc.py does not end with a newline"),
    ],
)
def test_what_a_shape_cannot_say_is_said(after: dict[str, Node], reason: str) -> None:
    """A shape that cannot carry an answer is no failure of the grader, and no pass either."""
    with pytest.raises(CannotCarry, match=reason):
        BY_NAME["whole files"].write(_tree({"calc.py": "x = 2\n"}), after)
