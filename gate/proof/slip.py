"""One small change of a file, as text: what the readers of each language find and `mutants` chooses from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Edit = tuple[int, int, bytes]
"""Start and end in the bytes of a file, and the new bytes. The edits of one change do not overlap."""

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Slip:
    """A change of one file that makes it wrong. `line` (from 1) is where it stands, `what` says it in a few words.

    `first` and `last` are the lines that it belongs to: it counts where one of them was changed by the known answer.
    `same`: it is known to leave the program as it was.
    """

    kind: str
    line: int
    first: int
    last: int
    edits: tuple[Edit, ...]
    what: str
    same: bool = False

    def applied(self, data: bytes) -> bytes:
        """The file after the change."""
        for start, end, new in sorted(self.edits, reverse=True):
            data = data[:start] + new + data[end:]
        return data

    def touches(self, lines: Iterable[int]) -> bool:
        """Whether it belongs to one of these lines."""
        return any(self.first <= line <= self.last for line in lines)


def shown(source: bytes) -> str:
    """A piece of source in one short line."""
    text = " ".join(source.decode("utf-8", "replace").split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def turned(old: bytes, new: bytes, around: tuple[bytes, bytes] | None = None) -> str:
    """`old -> new`, with the operands around it where that stays short."""
    if around is not None:
        before, after = around
        whole = (before + b" " + old + b" " + after, before + b" " + new + b" " + after)
        if max(map(len, whole)) <= _SHOWN and b"\n" not in whole[0]:
            old, new = whole
    return f"{shown(old)} -> {shown(new)}"
