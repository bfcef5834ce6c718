"""Finds the files of a suite: which YAML files are canaries, of which slice, and what their paths are relative to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gate.errors import Problem
from gate.outcome import Slice
from gate.suite import card
from gate.suite.config import GateConfig

_SUFFIXES = frozenset({".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class Source:
    """One canary file. `folder_slice` is the slice its folder stands for; paths in it are below one of `bases`.

    `shown` is the path as messages name it.
    """

    path: Path
    shown: Path
    folder_slice: Slice | None
    bases: tuple[Path, ...]


def sources(config: GateConfig) -> list[Source]:
    """Every canary file of the suite, sorted by path. A canary directly in the suite folder must name its slice.

    An outside folder of hidden canaries holds its YAML files directly, with `fixtures/` and `goldens/` beside them;
    what is not there is looked for below the folder of `gate.yml`.
    """
    here = (config.base,)
    folders: list[tuple[Path, Slice | None, tuple[Path, ...]]] = [(config.suite, None, here)]
    folders += [(config.suite / name, name, here) for name in (Slice.PUBLIC, Slice.CANARY)]
    if config.hidden is not None:
        outside = not config.hidden.is_relative_to(config.base)
        folders.append((config.hidden, Slice.HIDDEN, (config.hidden, config.base) if outside else here))
    return [
        Source(path, config.shown(path), name, bases)
        for folder, name, bases in folders
        for path in _yaml(folder)
        if path != config.suite / card.NAME
    ]


def strays(config: GateConfig) -> Iterator[Problem]:
    """Folders whose canaries would silently not be run: a misspelt slice, or a second home of the hidden slice.

    A folder with a card of its own is another suite and none of ours.
    """
    if not config.suite.is_dir():
        return
    for folder in sorted(path for path in config.suite.iterdir() if path.is_dir() and not path.name.startswith(".")):
        if folder.name == Slice.HIDDEN:
            if folder != config.hidden and _yaml(folder):
                reason = "gate.yml names another place for the hidden canaries, so these would not be run"
                yield Problem(str(config.shown(folder)), 0, "", reason)
        elif folder.name not in set(Slice) and not (folder / card.NAME).exists() and _yaml(folder):
            yield Problem(str(config.shown(folder)), 0, "", "is no slice; canaries lie in public/, hidden/ or canary/")


def _yaml(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES and not path.name.startswith("."))
