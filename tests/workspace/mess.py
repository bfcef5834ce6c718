"""The things that an agent may leave in its copy to hang, crash or mislead whoever reads it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from gate.workspace.names import decode

TERABYTE = 1 << 40


def make(root: Path) -> None:
    """Leave all of it in a folder that exists. Nothing here needs a privilege."""
    (root / "good.txt").write_bytes(b"good\n")
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as bound:
        here = os.open(".", os.O_RDONLY)
        os.chdir(root)  # a socket's path has only about a hundred bytes
        try:
            bound.bind("socket")
        finally:
            os.fchdir(here)
            os.close(here)
    with (root / "sparse").open("wb") as sparse:
        sparse.truncate(TERABYTE)
    (root / "loop-a").symlink_to("loop-b")
    (root / "loop-b").symlink_to("loop-a")
    (root / "self").symlink_to(".")
    (root / "shadow").symlink_to("/etc/shadow")
    (root / "tty").symlink_to("/dev/tty")
    (root / decode(b"new\nline\x1b[2J\xff")).write_bytes(b"odd name\n")
    (root / ("n" * 255)).write_bytes(b"long name\n")
    locked = root / "locked"
    locked.mkdir()
    (locked / "inside").write_bytes(b"inside\n")
    listed = root / "listed"
    listed.mkdir()
    (listed / "inside").write_bytes(b"listed\n")
    (root / "unreadable").write_bytes(b"unreadable\n")
    (root / "unreadable").chmod(0o000)
    (root / "unreadable-tool").write_bytes(b"#!/bin/sh\n")
    (root / "unreadable-tool").chmod(0o111)
    listed.chmod(0o400)
    locked.chmod(0o000)
    os.link(root / "good.txt", root / "other-name")
    dig(root / "deep", 300, b"d" * 16)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(b"[core]\n\tfsmonitor = evil\n")


def dig(top: Path, levels: int, name: bytes) -> None:
    """Folders in folders, deeper than a path may be long."""
    top.mkdir()
    descriptor = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=descriptor)
        below = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(os.open("bottom", os.O_WRONLY | os.O_CREAT, dir_fd=descriptor))
    os.close(descriptor)
