"""What changed between two trees, as a value: `apply(diff(a, b), a) == b`, and the same by way of a diff's bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256 as _sha256

from gate.workspace.fitting import apply_bytes, check_path, settled
from gate.workspace.lines import changes, is_text, split
from gate.workspace.names import encode
from gate.workspace.render import render
from gate.workspace.sections import PatchError
from gate.workspace.tree import Node, Tree, content, git_mode

__all__ = ["Change", "Patch", "PatchError", "apply", "apply_bytes", "diff", "sha256", "to_bytes"]


@dataclass(frozen=True, slots=True)
class Change:
    """One path before and after: None where it does not exist. The two are never equal."""

    path: str
    before: Node | None
    after: Node | None


@dataclass(frozen=True, slots=True)
class Patch:
    """The changes between two trees, sorted by path. An empty patch is false."""

    changes: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes)

    def paths(self) -> tuple[str, ...]:
        """Every path that differs. A rename is two of them."""
        return tuple(change.path for change in self.changes)

    def only(self, keep: Callable[[str], bool]) -> Patch:
        """The part of the patch whose paths are kept."""
        return Patch(tuple(change for change in self.changes if keep(change.path)))

    def added_text(self) -> str:
        """The lines that the patch adds, of text files and link targets, each ended by a newline."""
        return "".join(line for change in self.changes for line in _added(change))


def _added(change: Change) -> Iterable[str]:
    after = content(change.after) if change.after is not None else b""
    before = content(change.before) if change.before is not None else b""
    if not is_text(after):
        return
    new = split(after)
    old = split(before) if is_text(before) and type(change.before) is type(change.after) else []
    for block in changes(old, new):
        for line in new[block.j1 : block.j2]:
            yield line.decode("utf-8", "replace").removesuffix("\n") + "\n"


def diff(before: Tree, after: Tree) -> Patch:
    """What turns `before` into `after`."""
    paths = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return Patch(tuple(Change(path, before.get(path), after.get(path)) for path in paths))


def apply(patch: Patch, tree: Tree) -> dict[str, Node]:
    """The tree after the patch. Raises PatchError where the tree is not what the patch was made from."""
    for change in patch.changes:
        check_path(change.path)
        if tree.get(change.path) != change.before:
            raise PatchError(change.path, "is not what the patch was made from")
    return settled(tree, {change.path: change.after for change in patch.changes})


def sha256(patch: Patch) -> str:
    """The identity of a patch in hex: of paths, modes and contents on both sides, whatever a diff of it looks like."""
    total = _sha256()
    for change in patch.changes:
        total.update(b"%d " % len(encode(change.path)) + encode(change.path))
        for node in (change.before, change.after):
            data = content(node) if node is not None else b""
            total.update(f" {git_mode(node) if node is not None else 0} {len(data)} ".encode())
            total.update(data)
    return total.hexdigest()


def to_bytes(patch: Patch) -> bytes:
    """The patch as `git diff --binary --full-index --no-renames` has it; `git apply` takes it."""
    return b"".join(render(change.path, change.before, change.after) for change in patch.changes)
