"""What is left of a known answer when a part of it is dropped, and whether it is nothing but a rename."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, zip_longest

from gate.proof.slip import Slip
from gate.workspace.lines import Block, hunks, split
from gate.workspace.patch import Change
from gate.workspace.tree import File

_WORD = re.compile(r"[^\W\d][\w$]*|\s+|.", re.DOTALL)


def is_edit(change: Change) -> bool:
    """Whether both sides are texts that differ in lines; else the change is dropped as a whole or not at all."""
    both = (change.before, change.after)
    return all(isinstance(node, File) and b"\0" not in node.data for node in both)


def blocks_of(change: Change) -> list[list[Block]]:
    """The changed blocks of an edit, in groups as a diff has them."""
    if not isinstance(change.before, File) or not isinstance(change.after, File):
        return []
    return list(hunks(split(change.before.data), split(change.after.data)))


def changed_lines(change: Change) -> frozenset[int]:
    """The lines (from 1) of the file after the change that it added or changed."""
    if not isinstance(change.after, File):
        return frozenset()
    if not isinstance(change.before, File):
        return frozenset(range(1, len(split(change.after.data)) + 1))
    return frozenset(
        line for group in blocks_of(change) for block in group for line in range(block.j1 + 1, block.j2 + 1)
    )


def drops(change: Change, *, only: bool) -> Iterator[Slip]:
    """Each hunk dropped by itself, then each block of a hunk that has several.

    With `only` this is the whole answer: then halves of a block of several lines are dropped as well, since nothing
    smaller would be.
    """
    if not isinstance(change.before, File) or not isinstance(change.after, File):
        return
    old, new = split(change.before.data), split(change.after.data)
    starts = [0, *accumulate(map(len, new))]
    groups = list(hunks(old, new))
    for group in groups:
        yield _slip("hunk dropped", group, [(block, old[block.i1 : block.i2]) for block in group], starts)
        if len(group) > 1:
            for block in group:
                yield _slip("change dropped", [block], [(block, old[block.i1 : block.i2])], starts)
    if only and len(groups) == 1:
        for block in groups[0]:
            if block.j2 - block.j1 > 1:
                yield from _halves(block, old, starts)


def _halves(block: Block, old: Sequence[bytes], starts: Sequence[int]) -> Iterator[Slip]:
    i, j = (block.i1 + block.i2) // 2, (block.j1 + block.j2) // 2
    first = Block(block.i1, i, block.j1, j)
    second = Block(i, block.i2, j, block.j2)
    for name, half in (("first half dropped", first), ("second half dropped", second)):
        yield _slip(name, [half], [(half, old[half.i1 : half.i2])], starts)


def _slip(
    what: str, group: Sequence[Block], parts: Sequence[tuple[Block, Sequence[bytes]]], starts: Sequence[int]
) -> Slip:
    line = group[0].j1 + 1
    edits = tuple((starts[block.j1], starts[block.j2], b"".join(lines)) for block, lines in parts)
    return Slip("hunk", line, line, group[-1].j2 or line, edits, what)


def renamed(changes: Sequence[Change]) -> dict[str, str]:
    """The old and new names, where the changes do nothing but give things other names; else empty.

    The same words are replaced by the same words wherever lines differ, in two places or more, and one of these places
    defines a new name. A call that is exchanged for another one is no rename.
    """
    names: dict[str, str] = {}
    places, defined = 0, False
    for before, after in _pairs(changes):
        found = _renamed(before, after)
        if not found or any(names.setdefault(was, now) != now for was, now in found.items()):
            return {}
        places += 1
        defined |= any(defines(after, now) for now in found.values())
    return names if places > 1 and defined else {}


def _pairs(changes: Sequence[Change]) -> Iterator[tuple[bytes, bytes]]:
    """The lines that differ, old and new; a line without its like stands beside an empty one."""
    for change in changes:
        if not isinstance(change.before, File) or not isinstance(change.after, File):
            yield b"", b""
            continue
        old, new = split(change.before.data), split(change.after.data)
        for block in (block for group in hunks(old, new) for block in group):
            yield from zip_longest(old[block.i1 : block.i2], new[block.j1 : block.j2], fillvalue=b"")


def _renamed(before: bytes, after: bytes) -> dict[str, str] | None:
    """Which words of a line became which; None where anything else of it changed."""
    old, new = (_WORD.findall(line.decode("utf-8", "replace")) for line in (before, after))
    if len(old) != len(new):
        return None
    found: dict[str, str] = {}
    for was, now in zip(old, new, strict=True):
        if was != now and not (was.isidentifier() and now.isidentifier() and found.setdefault(was, now) == now):
            return None
    return found


def defines(text: bytes, name: str) -> bool:
    """Whether a name is given its meaning here, in Python or JavaScript."""
    pattern = rf"\b(def|class|function\*?|const|let|var)\s+{re.escape(name)}\b|^\s*{re.escape(name)}\s*="
    return re.search(pattern, text.decode("utf-8", "replace"), re.MULTILINE) is not None
