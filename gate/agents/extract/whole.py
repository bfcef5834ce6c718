"""Blocks that are whole files, and search/replace blocks: what they make of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.agents.extract.paths import checked
from gate.agents.extract.placing import Made
from gate.agents.extract.text import Text, place
from gate.agents.extract.unclear import Unclear
from gate.workspace.tree import File, Node, Tree


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A block that is a file. `first_is_path`: its first line is a comment with the path."""

    path: str
    lines: tuple[str, ...]
    first_is_path: bool


@dataclass(frozen=True, slots=True)
class Replacement:
    """Text that stands once in a file, and what it becomes."""

    path: str
    search: tuple[str, ...]
    replace: tuple[str, ...]


def written(path: str, lines: Sequence[str], before: Node | None) -> File:
    """A file with this content, its mode and its kind of line ends as they were. Raises Unclear for a link."""
    binary = isinstance(before, File) and b"\0" in before.data
    old = Text() if binary else Text.of(path, before, exactly=any("\r" in line for line in lines))
    return old.with_lines(lines, ended=True).node()


def whole_files(blocks: Sequence[WholeFile], base: Tree) -> Made:
    """The files of the blocks. One that is as it was counts only where no other block is that file: agents quote."""
    made: Made = {}
    for block in blocks:
        before = base.get(block.path)
        if not block.lines and before is not None:
            raise Unclear(f"{block.path}: its block is empty")
        file = written(block.path, _content(block, before), before)
        known = made.get(block.path)
        if known is None or known == before:
            made[block.path] = file
        elif file not in (known, before):
            raise Unclear(f"{block.path}: two blocks give it different contents")
    return made


def _content(block: WholeFile, before: Node | None) -> Sequence[str]:
    """The lines without the comment that only names the file, unless the file begins with that comment."""
    if not block.first_is_path:
        return block.lines
    first = Text.of(block.path, before, exactly=False).lines[:1] if before is not None else ()
    return block.lines if first == block.lines[:1] else block.lines[1:]


def replacements(found: Sequence[Replacement], base: Tree) -> Made:
    """The files after all replacements, each in what those before it left. Raises Unclear."""
    made: Made = {}
    for edit in dict.fromkeys(found):
        checked(edit.path, base)
        before = made.get(edit.path, base.get(edit.path))
        made[edit.path] = _replaced(edit, before)
    return made


def _replaced(edit: Replacement, before: Node | None) -> File:
    path = edit.path
    text = Text.of(path, before, exactly=any("\r" in line for line in (*edit.search, *edit.replace)))
    if not any(line.strip() for line in edit.search):
        if text.lines:
            raise Unclear(f"{path}: exists already, so the text to search for cannot be empty")
        return text.with_lines(edit.replace, ended=True).node()
    if before is None:
        raise Unclear(f"{path}: does not exist")
    at = place(text.lines, edit.search, f"{path}: the text to search for")
    end = at + len(edit.search)
    lines = [*text.lines[:at], *edit.replace, *text.lines[end:]]
    # Where the last line of the file is written anew, it is written as a line.
    ended = text.ended or (end == len(text.lines) and edit.search[-1:] != edit.replace[-1:])
    return text.with_lines(lines, ended=ended).node()
