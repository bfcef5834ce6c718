"""The folders that a suite points at, each read once however many canaries share it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.workspace.tree import Reading, Tree


_LEFTOVERS = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".DS_Store"})


class Shelf:
    """Reads folders and remembers them for as long as the suite lives, so that what was checked is what is hashed."""

    def __init__(self) -> None:
        self._readings: dict[Path, Reading] = {}
        self._digests: dict[Path, str] = {}
        self._flaws: dict[Path, tuple[str, ...]] = {}

    def reading(self, folder: Path) -> Reading:
        """The folder as it lies on disk, with what is odd about it."""
        from gate.workspace import tree

        if folder not in self._readings:
            self._readings[folder] = tree.read(folder)
        return self._readings[folder]

    def tree(self, folder: Path) -> Tree:
        """The files of the folder."""
        return self.reading(folder).tree

    def digest(self, folder: Path) -> str:
        """Hex sha256 of the folder's tree."""
        from gate.workspace import tree

        if folder not in self._digests:
            self._digests[folder] = tree.digest(self.tree(folder))
        return self._digests[folder]

    def flaws(self, folder: Path) -> tuple[str, ...]:
        """Why the folder cannot be frozen and copied as it is: one reason each, none for a good one."""
        if folder not in self._flaws:
            self._flaws[folder] = tuple(self._look(folder))
        return self._flaws[folder]

    def _look(self, folder: Path) -> Iterator[str]:
        from gate.workspace.tree import Symlink

        if os.path.lexists(folder / ".git"):
            yield "has a `.git` of its own; a fixture is files only, so remove it"
        reading = self.reading(folder)
        yield from (f"cannot be frozen: {oddity}" for oddity in reading.oddities)
        if not reading.tree:
            yield "holds no files"
        for left in sorted({part for name in reading.tree for part in name.split("/") if part in _LEFTOVERS}):
            yield f"holds {left}, which a program left there; remove it, or every copy will carry it"
        for name, node in sorted(reading.tree.items()):
            if isinstance(node, Symlink) and _leaves(folder, name, node.target):
                yield f"the symlink {name} leaves the folder (it points to {node.target})"


def _leaves(folder: Path, name: str, target: str) -> bool:
    if target.startswith("/"):
        return True
    try:
        return not (folder / name).resolve().is_relative_to(folder)
    except (OSError, RuntimeError):  # a loop of symlinks is a RuntimeError before Python 3.13
        return False
