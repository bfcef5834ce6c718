"""Who descends from whom, read from /proc without trusting anything but the kernel's own numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """One line of the process table. Zombies are not in it: they hold no resource and run nothing."""

    pid: int
    parent: int
    session: int


def processes() -> Iterator[Process]:
    """Every process that is visible and not a zombie."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            # It may end while we look, and a hardened /proc may hide it.
            with suppress(OSError, ValueError):
                # The name in brackets may hold anything, brackets included; what follows the last one is ours.
                fields = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] not in (b"Z", b"X"):
                    yield Process(int(entry.name), int(fields[1]), int(fields[3]))


def parent_of(pid: int) -> int | None:
    """The parent's pid, or None when the process is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def descendants(pid: int) -> set[int]:
    """Every process below `pid`, itself excluded."""
    children: dict[int, list[int]] = {}
    for process in processes():
        children.setdefault(process.parent, []).append(process.pid)
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        fresh = [child for child in children.get(waiting.pop(), ()) if child not in found]
        found.update(fresh)
        waiting += fresh
    return found


def in_session(session: int) -> set[int]:
    """Every process of one session."""
    return {process.pid for process in processes() if process.session == session}
