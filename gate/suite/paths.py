"""Resolves a path that a file names: inside its base whatever it says, or a reason why not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath


class BadPath(ValueError):
    """The path cannot be used; the message says why, for a person."""


def inside(base: Path, name: str) -> Path:
    """`base / name` as a real path below the real base. Raises BadPath; the path need not exist.

    Absolute paths, `..` and a symlink that leaves the base are refused: a suite is the same wherever it is cloned.
    """
    pure = PurePosixPath(name)
    if "\\" in name or "\0" in name:
        raise BadPath("must not hold a backslash; write `/` between folders")
    if pure.is_absolute() or name.startswith("~"):
        raise BadPath("must be relative")
    if ".." in pure.parts:
        raise BadPath("must not hold `..`")
    if not pure.parts:
        raise BadPath("names no file")
    root = base.resolve()
    try:
        real = (root / pure).resolve()
    except (OSError, RuntimeError) as error:  # a loop of symlinks is a RuntimeError before Python 3.13
        raise BadPath(f"cannot be resolved: {error}") from error
    if not real.is_relative_to(root) or real == root:
        raise BadPath(f"leaves {_show(root)} through a symlink")
    return real


def first_inside(bases: Iterable[Path], name: str) -> Path:
    """The path below the first base where it exists, else below the last. Raises BadPath as `inside` does."""
    found = [inside(base, name) for base in bases]
    return next((path for path in found if path.exists()), found[-1])


def _show(root: Path) -> str:
    return f"the folder {root.name}/" if root.name else "the base folder"
