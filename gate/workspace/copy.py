"""Throwaway copies of a fixture: a plain copy, or an overlay where the fence can mount one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from gate.errors import ConfigError, Problem
from gate.workspace.layers import merge
from gate.workspace.removal import remove
from gate.workspace.tree import Reading, Tree, digest, read, write


@dataclass(frozen=True, slots=True)
class Overlay:
    """A copy as an overlay: `lower` is never written, `upper` and `work` lie on the host beside each other."""

    lower: Path
    upper: Path
    work: Path


@dataclass(frozen=True, slots=True)
class Workspace:
    """One copy for one trial. `root` is where the agent works (with `overlay`, where the fence mounts it).

    `place` is the folder that holds all of it, and nothing else.
    """

    root: Path
    base: Tree
    overlay: Overlay | None
    place: Path

    def after(self) -> Reading:
        """The tree as it was left. Call it once every process of the trial is gone. Raises OSError, HarnessBroken."""
        if self.overlay is None:
            return read(self.root, unlock=True)
        return merge(self.base, self.overlay.upper)

    def remove(self) -> None:
        """Remove the copy, whatever was left in it. Raises OSError for what cannot be removed."""
        remove(self.place)


class Copies:
    """The fixtures of one run, each read once. Safe to share between threads.

    Copies lie in fresh folders under `scratch` whose names say nothing. `owner` is the uid that must own them, or
    None; `fresh` draws one for each plain copy instead. With `overlay`, a fixture of at least `overlay_from` files is
    staged once and never copied again.
    """

    def __init__(
        self,
        scratch: Path,
        *,
        owner: int | None,
        overlay: bool,
        overlay_from: int = 300,
        fresh: Callable[[], int | None] | None = None,
    ) -> None:
        self.scratch = scratch
        self.owner = owner
        self.overlay = overlay
        self.overlay_from = overlay_from
        self.fresh = fresh or (lambda: owner)
        self._trees: dict[Path, Tree] = {}
        self._lowers: dict[Path, Path] = {}
        self._lock = Lock()

    def base(self, fixture: Path) -> Tree:
        """The fixture's tree. Raises ConfigError when something in the folder cannot be part of a tree."""
        with self._lock:
            if fixture not in self._trees:
                self._trees[fixture] = _pristine(fixture)
            return self._trees[fixture]

    def open(self, fixture: Path) -> Workspace:
        """A fresh copy of the fixture. Raises ConfigError, OSError."""
        base = self.base(fixture)
        layered = self.overlay and len(base) >= self.overlay_from
        lower = self._stage(fixture, base) if layered else None
        place = Path(tempfile.mkdtemp(prefix="w-", dir=self.scratch))
        root = place / "repo"
        if lower is None:
            write(base, root, owner=self.fresh())
            return Workspace(root, base, None, place)
        layers = Overlay(lower, place / "upper", place / "work")
        for folder in (root, layers.upper, layers.work):
            write({}, folder, owner=self.owner)
        return Workspace(root, base, layers, place)

    def _stage(self, fixture: Path, base: Tree) -> Path:
        """The fixture's lower layer, named by its contents. A half-written one never gets the name."""
        with self._lock:
            if fixture not in self._lowers:
                lower = self.scratch / f"lower-{digest(base)[:32]}"
                if not lower.is_dir():
                    place = Path(tempfile.mkdtemp(prefix="s-", dir=self.scratch))
                    write(base, place / "repo", owner=self.owner)
                    (place / "repo").rename(lower)
                    place.rmdir()
                self._lowers[fixture] = lower
            return self._lowers[fixture]


def _pristine(fixture: Path) -> Tree:
    try:
        reading = read(fixture)
    except OSError as error:
        raise ConfigError.at(fixture, 0, "", f"the fixture cannot be read: {os.strerror(error.errno or 0)}") from error
    if not reading.whole:
        raise ConfigError(Problem(str(fixture), 0, "", oddity) for oddity in reading.oddities)
    return reading.tree
