"""What lies in a folder, in a stable order, without following a link, blocking on anything or running anything.

The folder may have been filled by an agent: every step goes through the descriptor of the parent folder, a file is
opened only after the folder's entry said that it is regular, and never in a way that waits (a FIFO has no writer).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gate.workspace.names import MAX_PATH, encode, quote

MIB = 1024 * 1024

_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_FOLDER_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_SPECIAL = {
    stat.S_IFIFO: "FIFO",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "character device",
    stat.S_IFBLK: "block device",
}


@dataclass(frozen=True, slots=True)
class Caps:
    """How much is read at most: bytes of a file, bytes in all, entries, levels of folders."""

    file: int = 32 * MIB
    total: int = 256 * MIB
    entries: int = 100_000
    depth: int = 100


class Kind(Enum):
    """What an entry is to us."""

    FILE = auto()
    LINK = auto()
    FOLDER = auto()
    WHITEOUT = auto()
    ODD = auto()


@dataclass(frozen=True, slots=True)
class Found:
    """One entry. `data` is a file's bytes or a link's target; `folder` is an open descriptor until the next entry.

    `oddity` says what is unusual; an entry of kind ODD has no contents for us.
    """

    path: str
    kind: Kind
    data: bytes = b""
    executable: bool = False
    folder: int = -1
    oddity: str = ""


def walk(root: Path, caps: Caps, *, unlock: bool = False) -> Iterator[Found]:
    """Every entry under `root` but the repository's own folder, each folder before what lies in it.

    With `unlock` a folder or file that its owner may not read is made readable first: only for throwaway copies.
    Raises OSError when `root` itself cannot be opened.
    """
    return _Walk(caps, unlock).run(root)


def is_repository(path: str) -> bool:
    """Whether a path is, or lies in, the root's own `.git`, in any spelling that a file system might fold to it."""
    return path.partition("/")[0].lower() == ".git"


class _Open(NamedTuple):
    """A folder being walked: its descriptor, what its entries' paths begin with, and the entries still to come."""

    descriptor: int
    prefix: str
    entries: Iterator[os.DirEntry[str]]


class _Walk:
    """The state of one walk: what was spent of the caps, and the folders that are open, the innermost last."""

    def __init__(self, caps: Caps, unlock: bool) -> None:
        self.caps = caps
        self.unlock = unlock
        self.entries = 0
        self.bytes = 0
        self.stack: list[_Open] = []

    def run(self, root: Path) -> Iterator[Found]:
        try:
            self._enter(self._open_root(root), "")
            while self.stack:
                entry = next(self.stack[-1].entries, None)
                if entry is None:
                    os.close(self.stack.pop().descriptor)
                    continue
                path = self.stack[-1].prefix + entry.name
                if is_repository(path):
                    continue
                self.entries += 1
                if self.entries > self.caps.entries:
                    reason = f"more than {self.caps.entries} entries, the rest was not read"
                    yield Found("", Kind.ODD, oddity=reason)
                    return
                yield self._look(self.stack[-1].descriptor, entry, path)
        finally:
            for folder in self.stack:
                os.close(folder.descriptor)

    def _open_root(self, root: Path) -> int:
        try:
            return os.open(root, _FOLDER_FLAGS)
        except PermissionError:
            if not self.unlock:
                raise
            root.chmod(0o700)
            return os.open(root, _FOLDER_FLAGS)

    def _enter(self, descriptor: int, prefix: str) -> None:
        """Make an open folder the innermost one. It is ours to close, also when it cannot be listed."""
        self.stack.append(_Open(descriptor, prefix, iter(())))
        if self.unlock and stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o700 != 0o700:
            os.fchmod(descriptor, 0o700)  # what may be listed but not searched would hide its files
        self.stack[-1] = _Open(descriptor, prefix, iter(self._listed(descriptor)))

    def _listed(self, descriptor: int) -> list[os.DirEntry[str]]:
        """The folder's entries by name: no more of them than the cap still allows, and one to know that it was met."""
        room = self.caps.entries - self.entries + 1
        with os.scandir(descriptor) as entries:
            return sorted(islice(entries, room), key=lambda entry: entry.name)

    def _look(self, parent: int, entry: os.DirEntry[str], path: str) -> Found:
        if len(path) > MAX_PATH or len(encode(path)) > MAX_PATH:
            return _odd(path[:80], f"path longer than {MAX_PATH} bytes, not read")
        try:
            if entry.is_symlink():
                return Found(path, Kind.LINK, data=encode(os.readlink(entry.name, dir_fd=parent)))
            if entry.is_dir(follow_symlinks=False):
                if len(self.stack) >= self.caps.depth:
                    return _odd(path, f"deeper than {self.caps.depth} folders, not read")
                self._enter(self._open(parent, entry, _FOLDER_FLAGS), path + "/")
                return Found(path, Kind.FOLDER, folder=self.stack[-1].descriptor)
            if entry.is_file(follow_symlinks=False):
                return self._file(parent, entry, path)
            return _special(entry, path)
        except OSError as error:
            return _odd(path, f"unreadable ({errno.errorcode.get(error.errno or 0, 'unknown')})")

    def _open(self, parent: int, entry: os.DirEntry[str], flags: int) -> int:
        try:
            return os.open(entry.name, flags, dir_fd=parent)
        except PermissionError:
            if not self.unlock:
                raise
            # Whoever could swap the entry for a link in between is gone: copies are read after their processes.
            mode = stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode)
            os.chmod(entry.name, mode | (0o700 if flags == _FOLDER_FLAGS else 0o400), dir_fd=parent)
            return os.open(entry.name, flags, dir_fd=parent)

    def _file(self, parent: int, entry: os.DirEntry[str], path: str) -> Found:
        descriptor = self._open(parent, entry, _FILE_FLAGS)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return _odd(path, "changed while it was read")
            if status.st_size > self.caps.file:
                return _odd(path, f"larger than {self.caps.file} bytes, not read")
            if self.bytes + status.st_size > self.caps.total:
                return _odd(path, f"beyond {self.caps.total} bytes in all, not read")
            data = _contents(descriptor, status.st_size)
        finally:
            os.close(descriptor)
        if len(data) != status.st_size:
            return _odd(path, "changed while it was read")
        self.bytes += len(data)
        links = f"{quote(path)}: has {status.st_nlink} names (hard link)" if status.st_nlink > 1 else ""
        return Found(path, Kind.FILE, data, executable=bool(status.st_mode & stat.S_IXUSR), oddity=links)


def _contents(descriptor: int, size: int) -> bytes:
    """The file's bytes; asks for one more than it should have, so that growth shows and an endless file ends."""
    parts = []
    while size >= 0:
        part = os.read(descriptor, size + 1)
        if not part:
            break
        parts.append(part)
        size -= len(part)
        if size == 0:
            break
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _special(entry: os.DirEntry[str], path: str) -> Found:
    status = entry.stat(follow_symlinks=False)
    if stat.S_ISCHR(status.st_mode) and status.st_rdev == 0:
        return Found(path, Kind.WHITEOUT, oddity=f"{quote(path)}: character device 0:0")
    return _odd(path, _SPECIAL.get(stat.S_IFMT(status.st_mode), "neither file, link nor folder"))


def _odd(path: str, reason: str) -> Found:
    return Found(path, Kind.ODD, oddity=f"{quote(path)}: {reason}")
