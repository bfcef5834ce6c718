"""A folder as a value: what lies in it, read without following a link or running anything."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gate.workspace.names import ancestors, decode, encode, flaw, quote
from gate.workspace.walk import MIB, Caps, Kind, walk

# The uid that runs inside the fence need not be the one that reads and removes the copy.
_OPEN = 0o755


@dataclass(frozen=True, slots=True)
class File:
    """A regular file: its bytes and whether its owner may execute it. Other mode bits are not kept."""

    data: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Symlink:
    """A symbolic link: where it points, never what it points to."""

    target: str


Node = File | Symlink

Tree = Mapping[str, Node]
"""Paths relative to the root, `/` between parts, undecodable bytes as surrogates. Empty folders do not count."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A tree as it was read. `oddities` name what is unusual, sorted, with relative paths quoted as git does.

    `whole` is False when something that the oddities name is not in the tree: a FIFO, a socket, a device, a file too
    large or unreadable, or everything past a cap. A hard link is odd, and whole: its contents were read.
    """

    tree: dict[str, Node]
    oddities: tuple[str, ...] = ()
    whole: bool = True


def read(
    root: Path,
    *,
    max_file: int = 32 * MIB,
    max_total: int = 256 * MIB,
    max_entries: int = 100_000,
    unlock: bool = False,
) -> Reading:
    """The tree under `root`. The root's own `.git` is not part of it; a nested one is ordinary files.

    Sizes are bytes. `unlock` lets a throwaway copy's unreadable parts be made readable first. Raises OSError when
    `root` is not a folder or cannot be opened; whatever lies in it is named, never fatal.
    """
    tree: dict[str, Node] = {}
    oddities = []
    whole = True
    for found in walk(root, Caps(max_file, max_total, max_entries), unlock=unlock):
        if found.kind is Kind.FILE:
            tree[found.path] = File(found.data, found.executable)
        elif found.kind is Kind.LINK:
            tree[found.path] = Symlink(decode(found.data))
        elif found.kind is not Kind.FOLDER:
            whole = False
        if found.oddity:
            oddities.append(found.oddity)
    return Reading(tree, tuple(sorted(oddities)), whole)


def write(tree: Tree, root: Path, *, owner: int | None = None) -> None:
    """Write a tree into `root`, which must be new or an empty folder. Folders and executables are 0755, files 0644.

    With `owner`, everything (the root included) is given to that uid and the gid of the same number. Links come last
    and every file must be new, so nothing is ever written through a link. Raises ValueError for a tree that no folder
    can hold, FileExistsError when `root` is not empty, OSError for the rest.
    """
    folders = _folders(tree)
    root.mkdir(exist_ok=True)
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with os.scandir(descriptor) as entries:
            if next(entries, None) is not None:
                raise FileExistsError(f"not an empty folder: {root}")
        _settle(descriptor, _OPEN, owner)
        for folder in folders:
            os.mkdir(folder, _OPEN, dir_fd=descriptor)
            os.chmod(folder, _OPEN, dir_fd=descriptor)  # whatever the umask is
            if owner is not None:
                os.chown(folder, owner, owner, dir_fd=descriptor, follow_symlinks=False)
        for path, node in tree.items():
            if isinstance(node, File):
                _write_file(descriptor, path, node, owner)
        for path, node in tree.items():
            if isinstance(node, Symlink):
                os.symlink(node.target, path, dir_fd=descriptor)
                if owner is not None:
                    os.chown(path, owner, owner, dir_fd=descriptor, follow_symlinks=False)
    finally:
        os.close(descriptor)


def _folders(tree: Tree) -> list[str]:
    """The folders that a tree needs, parents first. Raises ValueError when a path cannot be written as it is."""
    folders = {folder for path in tree for folder in ancestors(path)}
    for path in tree:
        reason = flaw(path)
        if reason:
            raise ValueError(f"path {quote(path)} {reason}")
    both = min(folders & tree.keys(), default=None)
    if both is not None:
        raise ValueError(f"path {quote(both)} is a folder and not a folder in one tree")
    return sorted(folders)


def _write_file(root: int, path: str, file: File, owner: int | None) -> None:
    mode = _OPEN if file.executable else 0o644
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, mode, dir_fd=root)
    try:
        data = memoryview(file.data)
        while data:
            data = data[os.write(descriptor, data) :]
        _settle(descriptor, mode, owner)
    finally:
        os.close(descriptor)


def _settle(descriptor: int, mode: int, owner: int | None) -> None:
    """The mode that was asked for whatever the umask is, and the owner."""
    if owner is not None:
        os.fchown(descriptor, owner, owner)
    os.fchmod(descriptor, mode)


def git_mode(node: Node) -> str:
    """The mode that git writes for a node."""
    if isinstance(node, Symlink):
        return "120000"
    return "100755" if node.executable else "100644"


def content(node: Node) -> bytes:
    """What git stores for a node: a file's bytes, a link's target."""
    return encode(node.target) if isinstance(node, Symlink) else node.data


def digest(tree: Tree) -> str:
    """The sha256 of a tree in hex, the same in whatever order its paths come."""
    total = sha256()
    for name, node in sorted((encode(path), node) for path, node in tree.items()):
        data = content(node)
        total.update(f"{git_mode(node)} {len(name)} {len(data)}\n".encode())
        total.update(name)
        total.update(data)
    return total.hexdigest()
