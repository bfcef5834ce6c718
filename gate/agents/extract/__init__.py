"""The one place that takes an answer out of a message. It says what the answer is, never whether it is right.

Shapes, by what they name: `diff`, `whole-files`, `search-replace`; and for a task of one file `code` (a block without
a path), `program` (a message that is that file) and `completion` (one that continues it). Whatever can be read in two
ways is refused with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gate.agents.extract.diffs import Section, read_sections, starts_diff
from gate.agents.extract.lone import from_blocks, from_text, sole
from gate.agents.extract.message import OPEN, Edit, Fence, Reader
from gate.agents.extract.paths import DIFF_TAGS, above_block, address, in_comment, in_info, tag_of
from gate.agents.extract.placing import Made, apply
from gate.agents.extract.text import rows
from gate.agents.extract.unclear import MAX_PIECES, Unclear
from gate.agents.extract.whole import Replacement, WholeFile, replacements, whole_files
from gate.workspace.fitting import check_path, settled
from gate.workspace.sections import PatchError
from gate.workspace.tree import Tree

__all__ = ["Extracted", "extract"]

MAX_MESSAGE = 8_000_000
"""Characters."""

_DIFF_FILE = (".diff", ".patch")
_MARKDOWN = (".md", ".markdown")
_MAIL = re.compile(r"(?:From|commit) [0-9a-f]{40}\b|Index: \S")


@dataclass(frozen=True, slots=True)
class Extracted:
    """The tree after the answer that a message holds, and in which shape it came.

    `tree` is None where the message holds no answer, or none that is clear; `reason` then says why.
    """

    tree: Tree | None
    shape: str = ""
    reason: str = ""


def extract(message: str, base: Tree) -> Extracted:
    """The answer that a message holds to a task on `base`. Never raises, whatever the message is."""
    try:
        made, shape = _read(message, base)
        for path in made:
            check_path(path)
        return Extracted(settled(base, made), shape)
    except (Unclear, PatchError) as error:
        return Extracted(None, "", str(error))


@dataclass(slots=True)
class _Parts:
    """What a message holds, by its kind. `torn` says that its fences do not pair up.

    `nests` says that a file came whose own fences may have ended its block: in Markdown, and with no more marks.
    """

    sections: list[Section] = field(default_factory=list)
    files: list[WholeFile] = field(default_factory=list)
    edits: list[Replacement] = field(default_factory=list)
    nameless: list[Fence] = field(default_factory=list)
    torn: bool = False
    nests: bool = False
    hint: str = ""


def _read(message: str, base: Tree) -> tuple[Made, str]:
    """What the answer makes, and its shape. Raises Unclear and PatchError."""
    if len(message) > MAX_MESSAGE:
        raise Unclear(f"the message has more than {MAX_MESSAGE} characters")
    ends = message.count("\n")
    if ends and message.count("\r\n") == ends:
        message = message.replace("\r\n", "\n")  # the way it travelled; a file's own line ends are the file's
    if not message.strip():
        raise Unclear("the message is empty")
    parts, has_fence = _sorted(rows(message), base)
    says_where_it_ends = bool(parts.sections or parts.edits)
    if parts.torn and (parts.files or (parts.nameless and not says_where_it_ends)):
        raise Unclear("the fences of the message do not pair up, so where a block ends is a guess")
    found: list[tuple[str, Made]] = []
    if parts.sections:
        found.append(("diff", apply(parts.sections, base)))
    if parts.edits:
        found.append(("search-replace", replacements(parts.edits, base)))
    if parts.files:
        found.append(("whole-files", whole_files(parts.files, base)))
    if found:
        return _together(found, base), "+".join(shape for shape, _ in found)
    if parts.hint and not parts.nameless:
        raise Unclear(parts.hint)
    if has_fence:
        return from_blocks(parts.nameless, base), "code"
    return from_text(message, base)


def _together(found: list[tuple[str, Made]], base: Tree) -> Made:
    """One answer of all shapes. Raises Unclear where two of them make different things of one path."""
    made: Made = {}
    for shape, part in found:
        for path, node in part.items():
            if path not in made or made[path] == node:
                made[path] = node
            elif not (shape == "whole-files" and node == base.get(path)):  # else it quotes the file as it was
                raise Unclear(f"{path}: the message holds it in two shapes, and they differ")
    return made


def _sorted(lines: Sequence[str], base: Tree) -> tuple[_Parts, bool]:
    """What the lines hold, and whether a fenced block is among it."""
    parts = _Parts()
    has_fence, last = False, None
    for item in Reader(lines).items():
        if isinstance(item, Section):
            parts.sections.append(item)
        elif isinstance(item, Edit):
            last = _edit(item, None, last if item.follows else None, parts, base)
            continue
        else:
            has_fence = True
            last = _fence(item, last if not item.above else None, parts, base)
            continue
        last = None
    if max(len(parts.sections), len(parts.edits)) > MAX_PIECES:
        raise Unclear(f"the message holds more than {MAX_PIECES} changes")
    return parts, has_fence


def _fence(fence: Fence, last: str | None, parts: _Parts, base: Tree) -> str | None:
    """Add what a block holds. The path of its last search/replace block is returned, where it holds such."""
    parts.torn = parts.torn or not fence.whole
    path = in_info(fence.info, base)
    if _is_diff(fence) and not (path or "").endswith(_DIFF_FILE):
        found = read_sections(fence.lines)
        parts.sections += found
        parts.hint = parts.hint or (
            "" if found else "a diff in the message has no file names with a hunk (@@) below them"
        )
        return None
    if any(line.startswith("<") and OPEN.match(line) for line in fence.lines):
        for edit in Reader(fence.lines).items(fences=False):
            if isinstance(edit, Edit):
                last = _edit(edit, fence, last, parts, base)
        return last
    where, first_is_path = address(fence, base)
    if where is not None:
        parts.files.append(WholeFile(where, fence.lines, first_is_path))
        parts.nests = parts.nests or (where.endswith(_MARKDOWN) and fence.marks == 3)
    else:
        parts.nameless.append(fence)
        blank = not any(line.strip() for line in fence.lines)
        parts.torn = parts.torn or (not fence.info and (parts.nests or (blank and bool(parts.files))))
    return None


def _is_diff(fence: Fence) -> bool:
    first = next((number for number, line in enumerate(fence.lines) if line.strip()), None)
    if first is None:
        return False
    is_one = starts_diff(fence.lines, first) or _MAIL.match(fence.lines[first]) is not None
    return is_one or tag_of(fence.info) in DIFF_TAGS


def _edit(edit: Edit, fence: Fence | None, last: str | None, parts: _Parts, base: Tree) -> str:
    """Add a search/replace block and return its path: from the line above it, else its fence, else the one before."""
    path = above_block(edit.above, base) or in_comment(edit.above, base)
    if path is None and fence is not None:
        path = None if edit.follows else in_info(fence.info, base) or above_block(fence.above, base)
    path = path or last or sole(base)
    if path is None:
        raise Unclear("a search/replace block does not say which file it changes")
    parts.edits.append(Replacement(path, edit.search, edit.replace))
    return path
