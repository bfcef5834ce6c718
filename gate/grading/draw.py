"""Names and orders drawn at grading time from the trial's entropy, so that nobody can spare a control by its name.

Hash-based on purpose: the drawn names are visible in the fence, and a Mersenne twister could be wound back from them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A stream of random choices. Two streams with different labels tell nothing about each other."""

    def __init__(self, entropy: bytes, label: str) -> None:
        self._key = hashlib.sha256(len(entropy).to_bytes(4, "big") + entropy + label.encode("utf-8", "surrogateescape"))
        self._count = 0

    def _block(self) -> bytes:
        self._count += 1
        block = self._key.copy()
        block.update(self._count.to_bytes(8, "big"))
        return block.digest()

    def name(self) -> str:
        """An identifier of 17 characters in any language."""
        return "n" + self._block()[:8].hex()

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1."""
        return int.from_bytes(self._block(), "big") % bound

    def coin(self) -> bool:
        """Heads or tails."""
        return self.below(2) == 1

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The same items in a drawn order."""
        rest, out = list(items), []
        while rest:
            out.append(rest.pop(self.below(len(rest))))
        return out
