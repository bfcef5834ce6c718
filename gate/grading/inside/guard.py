"""The import path of the code under test: its tree in front, and nothing of it in place of what is not its own."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Iterable, Sequence


class Guard(importlib.abc.MetaPathFinder):
    """Resolves the standard library and the runner where they were before the tree joined the path.

    A name that the pristine fixture itself has at its root (`shadows`) is the fixture's to define.
    """

    def __init__(self, path: Sequence[str], shadows: Sequence[str]) -> None:
        self._path = list(path)
        own = {"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py"}
        self._names = (set(sys.stdlib_module_names) | own) - set(shadows)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The trusted place of a trusted name; nothing to say about any other."""
        if path is not None or name not in self._names:
            return None
        return importlib.machinery.PathFinder.find_spec(name, self._path, target)


def open_tree(roots: Iterable[str], shadows: Iterable[str], packages: Iterable[str]) -> list[str]:
    """Put the tree on the path, in front of the site-packages, so that no installed package is taken for the patch.

    Returns the names that cannot be imported from the tree, because we have loaded a module of that name already.
    """
    taken = sorted(name for name in set(shadows) & set(packages) if name in sys.modules)
    sys.meta_path.insert(0, Guard(sys.path, list(shadows)))
    sys.path[:0] = list(roots)
    return taken
