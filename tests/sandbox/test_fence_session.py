"""Talking to a sandboxed program line by line."""

from __future__ import annotations

import time

import pytest

from gate.sandbox.fence import Fence, open_fence
from gate.sandbox.policy import Limits, Policy

BARE = Policy(copy=None)


@pytest.fixture(scope="module", params=["auto", "none"])
def any_fence(request: pytest.FixtureRequest) -> Fence:
    """A session is the same promise with and without walls."""
    return open_fence(request.param)


def test_lines_come_back_in_order(any_fence: Fence) -> None:
    """Every line sent is answered, whatever bytes it holds; empty lines are lines."""
    session = any_fence.start(BARE, ["/bin/cat"])
    lines = [b"one", b"", b"\x00\xff\x1b[31m", b"K", b"x" * 300_000, b"last"]
    for line in lines:
        session.send(line + b"\n")
    assert [session.read_line(10) for _ in lines] == lines
    done = session.stop()
    assert (done.started, done.exit_code, done.timed_out, done.survivors) == (True, None, False, 0)


def test_no_answer_in_time_is_none_and_the_session_lives(any_fence: Fence) -> None:
    """A late line is not lost: it is there for the next call."""
    session = any_fence.start(BARE, ["/bin/sh", "-c", "read -r x; sleep 0.5; echo late; read -r x"])
    session.send(b"go\n")
    assert session.read_line(0.05) is None
    assert session.read_line(10) == b"late"
    session.stop()


def test_the_end_of_the_program_is_none(any_fence: Fence) -> None:
    """After the last line comes None at once, and stop() has the exit code."""
    session = any_fence.start(BARE, ["/bin/sh", "-c", "echo only; exit 7"])
    assert session.read_line(10) == b"only"
    began = time.monotonic()
    assert session.read_line(30) is None
    assert time.monotonic() - began < 5
    session.send(b"nobody listens\n")
    assert session.stop().exit_code == 7
    assert session.stop().exit_code == 7


def test_a_program_that_cannot_start_is_none(any_fence: Fence) -> None:
    """A session whose program is missing answers None, and stop() says that it never started."""
    session = any_fence.start(BARE, ["/nowhere"])
    assert session.read_line(10) is None
    assert not session.stop().started


def test_a_line_over_the_cap_is_none(any_fence: Fence) -> None:
    """A line longer than asked for is refused without being collected for ever."""
    session = any_fence.start(BARE, ["/bin/sh", "-c", "head -c 5000 /dev/zero; echo; sleep 30"])
    assert session.read_line(10, max_bytes=1000) is None
    session.stop()


def test_a_flood_that_nobody_reads_fills_no_memory(any_fence: Fence) -> None:
    """Without a reader at most the cap is kept and the program waits; read on, and every line is there."""
    limits = Limits(output_bytes=10_000, wall_s=60)
    session = any_fence.start(Policy(copy=None, limits=limits), ["/bin/sh", "-c", "seq 200000; echo end; read -r x"])
    time.sleep(0.3)
    assert [session.read_line(10) for _ in range(200_001)] == [*(b"%d" % n for n in range(1, 200_001)), b"end"]
    assert len(session.stop().stdout) <= 10_000


def test_the_wall_clock_runs_while_nobody_listens(any_fence: Fence) -> None:
    """The program is killed at its deadline although no call is waiting for it."""
    session = any_fence.start(Policy(copy=None, limits=Limits(wall_s=0.3)), ["/bin/sh", "-c", "echo a; sleep 30"])
    time.sleep(1.0)
    assert session.read_line(1) == b"a"
    assert session.read_line(0.2) is None
    assert session.stop().timed_out
    assert session.stop().seconds < 1.0
