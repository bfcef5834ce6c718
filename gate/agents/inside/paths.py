"""Which names the tools may touch: those in the copy, and regular files only.

The fence would keep the process in as well; the refusals here give a clear message, and keep odd files (FIFOs,
devices, endless ones) from hanging a tool.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

MAX_READ = 8 * 1024 * 1024


class Refused(Exception):
    """A call that is not done, with the reason that the agent reads."""


@cache
def root() -> Path:
    """The copy: the working directory that the fence started us in."""
    return Path.cwd().resolve()


def parts_of(name: str) -> list[str]:
    """The parts of a name that stays inside by its spelling. Raises Refused for any other."""
    if not name or "\0" in name:
        raise Refused("a path must be given")
    if name.startswith(("/", "~")):
        raise Refused(f"{name}: absolute paths are refused; give a path relative to the repository")
    parts = [part for part in name.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise Refused(f"{name}: `..` is refused; give a path inside the repository")
    if parts and parts[0].lower() == ".git":
        raise Refused(f"{name}: `.git` is not part of the task")
    return parts


def checked(real: Path, name: str) -> Path:
    """The real path itself, if it lies in the copy. Raises Refused otherwise."""
    if not real.is_relative_to(root()):
        raise Refused(f"{name}: leads out of the repository through a symbolic link")
    if real.is_relative_to(root() / ".git"):
        raise Refused(f"{name}: `.git` is not part of the task")
    return real


def resolve(name: str) -> Path:
    """The real path of a name in the copy. Raises Refused when it lies, or leads, outside."""
    lexical = root().joinpath(*parts_of(name))
    try:
        return checked(lexical.resolve(), name)
    except RuntimeError:  # what pathlib makes of a circle of links, before Python 3.13
        raise Refused(f"{name}: is a symbolic link that leads to itself") from None


def _kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFLNK: "a link"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def open_regular(real: Path, name: str, flags: int) -> int:
    """A descriptor of an existing regular file, never waiting for one. Raises Refused for anything else."""
    found = real.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise Refused(f"{name}: is {_kind(found.st_mode)}, not a file")
    # O_NONBLOCK: whatever lies there by now, opening it must not wait for a writer.
    return os.open(real, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def text_of(real: Path, name: str) -> tuple[str, bool]:
    """The text of a file, and whether it goes on after the first `MAX_READ` bytes."""
    with os.fdopen(open_regular(real, name, os.O_RDONLY), "rb") as stream:
        data = stream.read(MAX_READ + 1)
    if b"\0" in data[:8192]:
        raise Refused(f"{name}: is a binary file")
    longer = len(data) > MAX_READ
    try:
        # A long file may be cut within a character; only its last bytes are forgiven.
        return data[:MAX_READ].decode("utf-8", "ignore" if longer else "strict"), longer
    except UnicodeDecodeError:
        raise Refused(f"{name}: is not UTF-8 text") from None


def walk() -> Iterator[str]:
    """Every file and link of the copy; `.git` at the root is left out. Sorted within each folder."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            entries = sorted(os.scandir(root() / folder), key=lambda entry: entry.name)
        except OSError:
            continue
        below: list[str] = []
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if name != ".git":
                    below.append(name)
            elif entry.is_symlink() or entry.is_file(follow_symlinks=False):
                yield name
        folders.extend(reversed(below))
