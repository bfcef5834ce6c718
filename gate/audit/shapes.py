"""The shapes in which agents hand in an answer: one function each, from two trees to the message that says the change.

These write; what reads them is `gate.agents.extract`, the same as in a real run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from gate.workspace.lines import CONTEXT, Block, changes, split
from gate.workspace.patch import Change, diff, to_bytes
from gate.workspace.tree import File, Node, Tree

TOOL_EDITS = "tool edits"

BEFORE = "The failing case comes from one place, so the change stays small. Here is what I would change:"
AFTER = "Nothing else has to move. I have not touched the tests; `git diff` shows the same lines."


class CannotCarry(Exception):
    """This shape has no way to say this change; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Shape:
    """`write` turns (fixture, fixture after the answer) into a message. Raises CannotCarry where it cannot.

    `sole` shapes name no file: they are for tasks that have only one, as the rows of benchmarks do.
    """

    name: str
    write: Callable[[Tree, Tree], str]
    sole: bool = False


def _diff(before: Tree, after: Tree) -> str:
    try:
        return to_bytes(diff(before, after)).decode()
    except UnicodeDecodeError:
        raise CannotCarry("the change is not UTF-8 text") from None


def _fence(text: str, info: str = "") -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{info}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{marks}\n"


def _prose(text: str) -> str:
    return f"{BEFORE}\n\n{text}\n{AFTER}\n"


def _text(node: Node | None, path: str, *, whole: bool) -> str:
    """The content of a file as text. `whole` shapes lose what a fence cannot hold: the missing newline at the end."""
    if node is None:
        return ""
    if not isinstance(node, File):
        raise CannotCarry(f"{path} is a link")
    try:
        text = node.data.decode()
    except UnicodeDecodeError:
        raise CannotCarry(f"{path} is not UTF-8 text") from None
    if whole and text and not text.endswith("\n"):
        raise CannotCarry(f"{path} does not end with a newline")
    if "\r" in text or "\0" in text:
        raise CannotCarry(f"{path} holds characters that a message does not keep")
    return text


def _contents(before: Tree, after: Tree) -> Iterator[tuple[Change, str, str]]:
    """The changed files with their text on both sides. Raises CannotCarry for deletions, links and modes."""
    for change in diff(before, after).changes:
        if change.after is None:
            raise CannotCarry(f"it deletes {change.path}")
        if getattr(change.before, "executable", False) != getattr(change.after, "executable", False):
            raise CannotCarry(f"it changes the mode of {change.path}")
        yield change, _text(change.before, change.path, whole=False), _text(change.after, change.path, whole=True)


_TAGS = {".py": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript"}


def _whole_files(before: Tree, after: Tree) -> str:
    return "\n".join(
        f"`{change.path}`\n\n{_fence(new, _TAGS.get(PurePosixPath(change.path).suffix, ''))}"
        for change, _, new in _contents(before, after)
    )


def _search_replace(before: Tree, after: Tree) -> str:
    return "\n".join(
        f"{change.path}\n{_fence(f'<<<<<<< SEARCH{chr(10)}{search}======={chr(10)}{replace}>>>>>>> REPLACE{chr(10)}')}"
        for change, old, new in _contents(before, after)
        for search, replace in _edits(old, new)
    )


def _edits(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Pairs of text that stands once in the file and what it becomes; each holds enough context to be found."""
    if not old:
        yield "", new
        return
    lines, others = split(old.encode()), split(new.encode())
    blocks = changes(lines, others)
    context = CONTEXT
    while True:
        groups = _grouped(blocks, context)
        pairs = [_with_context(lines, others, group, context) for group in groups]
        if all(old.count(search) == 1 for search, _ in pairs):
            yield from pairs
            return
        if context > len(lines):
            yield old, new
            return
        context *= 2


def _grouped(blocks: list[Block], context: int) -> list[list[Block]]:
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block.i1 - groups[-1][-1].i2 <= 2 * context:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _with_context(lines: list[bytes], others: list[bytes], group: list[Block], context: int) -> tuple[str, str]:
    first, last = group[0], group[-1]
    lead, tail = min(context, first.i1), min(context, len(lines) - last.i2)
    search = b"".join(lines[first.i1 - lead : last.i2 + tail])
    replace = b"".join(others[first.j1 - lead : last.j2 + tail])
    return search.decode(), replace.decode()


def _sole(before: Tree, after: Tree) -> tuple[str, str]:
    """The text of the one file there is, before and after. Raises CannotCarry where there are more."""
    if len(before) != 1 or before.keys() != after.keys():
        raise CannotCarry("the answer is more than one file")
    (path,) = before
    return _text(before[path], path, whole=False), _text(after[path], path, whole=True)


def _program(before: Tree, after: Tree) -> str:
    return _sole(before, after)[1]


def _completion(before: Tree, after: Tree) -> str:
    old, new = _sole(before, after)
    if not new.startswith(old) or new == old:
        raise CannotCarry("the answer does not continue the file that is given")
    return new[len(old) :]


SHAPES: tuple[Shape, ...] = (
    Shape("diff", _diff),
    Shape("fenced diff", lambda before, after: _fence(_diff(before, after), "diff")),
    Shape("fenced diff in prose", lambda before, after: _prose(_fence(_diff(before, after), "diff"))),
    Shape("whole files", lambda before, after: _prose(_whole_files(before, after))),
    Shape("search/replace", lambda before, after: _prose(_search_replace(before, after))),
    Shape("program", _program, sole=True),
    Shape("fenced code", lambda before, after: _fence(_program(before, after), "python"), sole=True),
    Shape("fenced code in prose", lambda before, after: _prose(_fence(_program(before, after))), sole=True),
    Shape("completion", _completion, sole=True),
)
"""Every message shape. Edits with tools are no message; they come first everywhere and are called `tool edits`."""
