"""Lines, and how two lists of them differ. Only a newline ends a line: no CR, form feed or Unicode separator does."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

CONTEXT = 3

# Comparing two ranges line by line costs up to the number of equal pairs times the number of blocks: ceilings for one
# range and for one file, past which the range is one replacement. The result is longer then, never wrong.
_PAIRS_OF_RANGE = 4_000
_PAIRS_OF_FILE = 100_000


class Block(NamedTuple):
    """`old[i1:i2]` was replaced by `new[j1:j2]`; the two are never both empty."""

    i1: int
    i2: int
    j1: int
    j2: int


def split(data: bytes) -> list[bytes]:
    """The lines with their newlines; the last may have none. Joined they are `data` again."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def is_text(data: bytes) -> bool:
    """Whether a diff can show the data line by line."""
    return b"\0" not in data


def changes(old: Sequence[bytes], new: Sequence[bytes]) -> list[Block]:
    """The blocks that differ, in order, with at least one equal line between two of them.

    Lines that are unique on both sides are matched first (the patience diff), what lies between them by difflib.
    """
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    if start == len(old) == len(new):
        return []
    budget = _PAIRS_OF_FILE
    found: list[Block] = []
    for gap in _gaps(old, new, Block(start, len(old) - end, start, len(new) - end)):
        pairs = _pairs(old, new, gap)
        if pairs > min(budget, _PAIRS_OF_RANGE) or not pairs:
            found.append(gap)
            continue
        budget -= pairs
        found.extend(_compared(old, new, gap))
    return _joined(found)


def _gaps(old: Sequence[bytes], new: Sequence[bytes], whole: Block) -> Iterator[Block]:
    """What lies between the matched unique lines, each gap trimmed of equal lines at its ends."""
    i, j = whole.i1, whole.j1
    for anchor_i, anchor_j in [*_anchors(old, new, whole), (whole.i2, whole.j2)]:
        gap = _trimmed(old, new, Block(i, anchor_i, j, anchor_j))
        if gap.i1 < gap.i2 or gap.j1 < gap.j2:
            yield gap
        i, j = anchor_i + 1, anchor_j + 1


def _anchors(old: Sequence[bytes], new: Sequence[bytes], whole: Block) -> list[tuple[int, int]]:
    """The longest run of lines, unique on both sides, that keep their order."""
    counts_old = Counter(old[whole.i1 : whole.i2])
    counts_new = Counter(new[whole.j1 : whole.j2])
    places = {new[j]: j for j in range(whole.j1, whole.j2) if counts_new[new[j]] == 1}
    pairs = [(i, places[old[i]]) for i in range(whole.i1, whole.i2) if counts_old[old[i]] == 1 and old[i] in places]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, (_, j) in enumerate(pairs):
        length = bisect_left(tails, j)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [j]
        ends[length : length + 1] = [at]
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _trimmed(old: Sequence[bytes], new: Sequence[bytes], gap: Block) -> Block:
    i1, i2, j1, j2 = gap
    while i1 < i2 and j1 < j2 and old[i1] == new[j1]:
        i1, j1 = i1 + 1, j1 + 1
    while i1 < i2 and j1 < j2 and old[i2 - 1] == new[j2 - 1]:
        i2, j2 = i2 - 1, j2 - 1
    return Block(i1, i2, j1, j2)


def _pairs(old: Sequence[bytes], new: Sequence[bytes], gap: Block) -> int:
    counts = Counter(new[gap.j1 : gap.j2])
    return sum(counts[line] for line in old[gap.i1 : gap.i2])


def _compared(old: Sequence[bytes], new: Sequence[bytes], gap: Block) -> Iterator[Block]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, old[gap.i1 : gap.i2], new[gap.j1 : gap.j2], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield Block(gap.i1 + i1, gap.i1 + i2, gap.j1 + j1, gap.j1 + j2)


def _joined(found: list[Block]) -> list[Block]:
    """Blocks that touch become one."""
    joined: list[Block] = []
    for block in found:
        last = joined[-1] if joined else None
        if last and (last.i2, last.j2) == (block.i1, block.j1):
            joined[-1] = Block(last.i1, block.i2, last.j1, block.j2)
        else:
            joined.append(block)
    return joined


def hunks(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[list[Block]]:
    """The blocks in groups: two are in one hunk when their context lines would meet."""
    group: list[Block] = []
    for block in changes(old, new):
        if group and block.i1 - group[-1].i2 > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group
