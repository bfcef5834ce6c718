"""Running the tests of the task as a child of the tool process, and leaving nothing of it behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

DRAIN_S = 0.2


def _harden() -> None:
    """Keep what the tests start away from our memory and descriptors, and adopt whatever they leave behind."""
    if sys.platform != "linux":
        return
    import ctypes  # only here: it costs more than all other imports together

    prctl = ctypes.CDLL(None).prctl
    prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: /proc/<pid>/fd and /proc/<pid>/mem are closed to the tests
    prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _sweep(group: int) -> None:
    """Kill what a test command left running. Only ever our own children: never a process by a wider name."""
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    for _ in range(100):
        with contextlib.suppress(OSError):
            for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split():
                os.kill(int(child), signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.01)


def _drain(child: subprocess.Popen[bytes], deadline: float, cap: int) -> tuple[bytes, int, bool]:
    """The last `cap` bytes of its output, how many came before them, and whether the time ran out."""
    assert child.stdout is not None  # noqa: S101  # it was opened as a pipe
    stream = child.stdout.fileno()
    kept, total = bytearray(), 0
    while True:
        ready, _, _ = select.select([stream], [], [], min(DRAIN_S, max(0.0, deadline - time.monotonic())))
        if ready:
            piece = os.read(stream, 65536)
            if not piece:
                # Output is closed; the process may still be at work.
                try:
                    child.wait(max(0.0, deadline - time.monotonic()))
                except subprocess.TimeoutExpired:
                    return bytes(kept[-cap:]), max(0, total - cap), True
                return bytes(kept[-cap:]), max(0, total - cap), False
            total += len(piece)
            kept += piece
            if len(kept) > 4 * cap:
                del kept[:-cap]
        elif child.poll() is not None:
            # A grandchild may hold the pipe open for ever; the command itself has ended.
            return bytes(kept[-cap:]), max(0, total - cap), False
        if time.monotonic() >= deadline:
            return bytes(kept[-cap:]), max(0, total - cap), True


def run_tests(commands: list[list[str]], limit_s: float, cap: int) -> dict[str, Any]:
    """Run each command as our child. `exit` is None when the time ran out or it could not be started."""
    _harden()
    deadline = time.monotonic() + limit_s
    runs: list[dict[str, Any]] = []
    for command in commands:
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            runs.append({"exit": None, "late": False, "output": f"cannot start: {error.strerror}", "dropped": 0})
            continue
        output, dropped, late = _drain(child, deadline, cap)
        code = None if late else child.wait()
        _sweep(child.pid)
        if child.stdout is not None:
            child.stdout.close()
        if late:
            child.returncode = -signal.SIGKILL  # the sweep has reaped it
        runs.append({"exit": code, "late": late, "output": output.decode("utf-8", "replace"), "dropped": dropped})
    return {"runs": runs}
