"""Removing a folder whatever was left in it: locked, nested deeper than a path may be long, or oddly named."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(folder: Path) -> None:
    """Remove `folder` and everything in it. Nothing to remove is fine. Raises OSError for what cannot be removed.

    A subfolder that is not empty is first moved up into `folder`, so no step needs a long path, recursion or more
    than two descriptors. Links are unlinked, never followed.
    """
    try:
        mode = folder.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode) and stat.S_IMODE(mode) & 0o700 != 0o700:
        folder.chmod(0o700)
    top = os.open(folder, _FLAGS)
    try:
        _Removal(top).run()
    finally:
        os.close(top)
    folder.rmdir()


class _Removal:
    """The subfolders that wait at the top, under names that nothing in the folder can have."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.prefix = f".removing-{os.urandom(8).hex()}-"
        self.moved = 0
        self.waiting: list[str] = []

    def run(self) -> None:
        self._empty(self.top)
        while self.waiting:
            name = self.waiting.pop()
            folder = os.open(name, _FLAGS, dir_fd=self.top)
            try:
                self._empty(folder)
            finally:
                os.close(folder)
            os.rmdir(name, dir_fd=self.top)

    def _empty(self, folder: int) -> None:
        """Unlink what is no folder, and move the folders up that are not empty."""
        with os.scandir(folder) as entries:
            listed = list(entries)
        for entry in listed:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.name, dir_fd=folder)
                continue
            # Moving a folder needs write permission on the folder itself, since its `..` changes.
            if stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode) & 0o700 != 0o700:
                os.chmod(entry.name, 0o700, dir_fd=folder)
            try:
                os.rmdir(entry.name, dir_fd=folder)
            except OSError:
                name = self.prefix + str(self.moved)
                os.rename(entry.name, name, src_dir_fd=folder, dst_dir_fd=self.top)
                self.moved += 1
                self.waiting.append(name)
