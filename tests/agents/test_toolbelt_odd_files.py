"""Odd things left in a copy never hang a tool and never end a trial."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from gate.sandbox.fence import Fence
from tests.agents.bench import Hand, Repo


@pytest.fixture
def odd(scratch: Path, fence: Fence) -> Repo:
    """A copy with a FIFO, a socket, an endless sparse file, a closed folder, and a name that is not Unicode."""
    repo = Repo.laid(scratch, fence, {"plain.txt": "needle\n"})
    root = repo.root
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(root / "sock"))
    with (root / "huge").open("wb") as stream:
        stream.truncate(1 << 40)
    (root / "closed").mkdir(mode=0)
    (root / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"needle\n")
    (root / "new\nline.txt").write_text("needle\n")
    if fence.owner is not None:
        for path in root.iterdir():
            os.chown(path, fence.owner, fence.owner)
    return repo


CASES = (
    ("read_file", {"path": "pipe"}, "is a FIFO"),
    ("read_file", {"path": "sock"}, "is a socket"),
    ("read_file", {"path": "huge"}, "is a binary file"),
    ("edit_file", {"path": "pipe", "old": "a", "new": "b"}, "is a FIFO"),
    ("write_file", {"path": "pipe", "content": "x"}, "is a FIFO"),
    ("read_file", {"path": "closed/x"}, "Permission denied"),
    ("write_file", {"path": "closed/x", "content": ""}, "Permission denied"),
)


def test_odd_files_are_refused_at_once(odd: Repo) -> None:
    """A FIFO, a socket, a terabyte of nothing and a closed folder are each refused within seconds."""
    started = time.monotonic()
    with Hand(odd) as hand:
        for name, arguments, reason in CASES:
            result = hand(name, **arguments)
            assert not result.ok, (name, arguments)
            assert reason in result.text, (name, arguments, result.text)
    assert time.monotonic() - started < 20


def test_listing_and_search_go_around_them(odd: Repo) -> None:
    """Files are found beside what cannot be read, and a name that is not Unicode is shown without it."""
    with Hand(odd) as hand:
        names = hand("list_files").text
        found = hand("search", pattern="needle").text
    assert "plain.txt" in names
    assert "caf?.txt" in names
    assert "pipe" not in names
    assert "plain.txt:1: needle" in found


def test_a_pattern_without_an_end_is_stopped(scratch: Path, fence: Fence) -> None:
    """A regular expression that backtracks for ever ends with a refusal, and the tools go on working."""
    repo = Repo.laid(scratch, fence, {"a.txt": "a" * 60 + "b\n"})
    started = time.monotonic()
    with Hand(repo) as hand:
        result = hand("search", pattern=r"^(a+)+$", regex=True)
        assert not result.ok
        assert "took longer than" in result.text
        assert hand("read_file", path="a.txt").ok
    assert time.monotonic() - started < 25
