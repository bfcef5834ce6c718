"""What an overlay's upper layer means: the tree that its mount showed, computed from the host side.

The rules are those of the kernel's overlayfs documentation, of mounts with `userxattr`, which is how bwrap mounts in
every mode. There the kernel escapes or refuses the attributes when a program inside sets them, so an agent cannot
forge one; and there are no redirects and no metadata-only files. Meeting one means that something else made the mount.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import cached_property
from pathlib import Path

from gate.errors import HarnessBroken
from gate.workspace.names import decode, quote
from gate.workspace.tree import File, Node, Reading, Symlink, Tree
from gate.workspace.walk import Caps, Found, Kind, walk

_OPAQUE = "user.overlay.opaque"
_WHITEOUT = "user.overlay.whiteout"
_MISLEADING = ("trusted.overlay.", "user.overlay.redirect", "user.overlay.metacopy")


def merge(base: Tree, upper: Path) -> Reading:
    """The tree of an overlay whose lower layer is `base`.

    Raises HarnessBroken for a layer that means more than its files show, OSError when `upper` cannot be opened.
    """
    layers = _Layers(base, upper)
    for found in walk(upper, Caps(), unlock=True):
        layers.lay(found)
    return Reading(layers.tree, tuple(sorted(layers.oddities)), layers.whole)


class _Layers:
    """The base with the upper's entries laid over it one by one, folders before what lies in them."""

    def __init__(self, base: Tree, upper: Path) -> None:
        self.base = base
        self.upper = upper
        self.tree: dict[str, Node] = dict(base)
        self.marked: set[str] = set()
        self.oddities: list[str] = []
        self.whole = True

    def lay(self, found: Found) -> None:
        if found.kind is Kind.FOLDER:
            self._folder(found)
            return
        self._hide(found.path)
        if found.kind is Kind.WHITEOUT or self._is_marked(found):
            return
        if found.kind is Kind.FILE:
            self.tree[found.path] = File(found.data, found.executable)
        elif found.kind is Kind.LINK:
            self.tree[found.path] = Symlink(decode(found.data))
        else:
            self.whole = False
        if found.oddity:
            self.oddities.append(found.oddity)

    def _folder(self, found: Found) -> None:
        """A folder adds to the base's folder, unless it is opaque or the base has no folder there."""
        names = os.listxattr(found.folder)
        for name in names:
            if name.startswith(_MISLEADING):
                raise HarnessBroken(
                    f"overlay: the attribute {name} on {quote(found.path)} means contents that do not lie there; "
                    "run without overlay copies on this system"
                )
        kind = os.getxattr(found.folder, _OPAQUE) if _OPAQUE in names else b""
        if kind == b"x":
            self.marked.add(found.path)
        if kind == b"y" or found.path in self.tree:
            self._hide(found.path)

    def _is_marked(self, found: Found) -> bool:
        """The other form of a whiteout: an empty file with an attribute, in a folder that says it has such files."""
        if found.kind is not Kind.FILE or found.data or found.path.rpartition("/")[0] not in self.marked:
            return False
        return _WHITEOUT in os.listxattr(self.upper / found.path, follow_symlinks=False)

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self.base)

    def _hide(self, path: str) -> None:
        """Take the base's entry away with everything below it; nothing of the upper is there yet."""
        if self.tree.pop(path, None) is None:
            first, last = (bisect_left(self._paths, path + end) for end in ("/", "0"))  # "0" comes after "/"
            for hidden in self._paths[first:last]:
                self.tree.pop(hidden, None)
