"""What one sandbox does to those beside it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from gate.sandbox.fence import Completed, Fence
from gate.sandbox.policy import Limits, Policy
from gate.sandbox.toolchain import Toolchain

BOMB = """
import os, time
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    except OSError:
        pass
time.sleep(3)
"""
FORK = """
import os
for _ in range(20):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
"""


def _copy(scratch: Path, name: str, fence: Fence) -> Path:
    folder = scratch / name
    folder.mkdir()
    owner = fence.fresh_owner()
    if owner is not None:
        os.chown(folder, owner, owner)
    return folder


def test_a_fork_bomb_does_not_fail_its_neighbour(fence: Fence, python_toolchain: Toolchain, scratch: Path) -> None:
    """While one sandbox holds every process that it may have, another one forks as it likes."""
    limits = Limits(wall_s=20, processes=100)

    def program(source: str) -> list[str]:
        return [str(python_toolchain.executable), "-I", "-S", "-c", source]

    results: list[Completed] = []
    bomb = Policy(_copy(scratch, "a", fence), python_toolchain.readable, limits=limits)
    thread = threading.Thread(
        target=lambda: results.append(fence.run(bomb, ["/usr/bin/python3", "-I", "-S", "-c", BOMB]))
    )
    thread.start()
    time.sleep(1.5)
    beside = fence.run(Policy(_copy(scratch, "b", fence), python_toolchain.readable, limits=limits), program(FORK))
    assert thread.is_alive(), "the bomb was over before its neighbour ran"
    thread.join()
    assert beside.exit_code == 0, beside.stderr.decode()
    assert results[0].survivors == 0
