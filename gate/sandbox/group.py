"""The grip on a tree where the system has no namespace to hold it by: its group, and a search for those that left."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress

_RESCAN_S = 0.01


class Group:
    """See `process.Grip`. `strays` finds members of the tree wherever they fled; `release` runs once at the end.

    The process was started in a session of its own, so its pid is the group's too.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], strays: Callable[[], set[int]], release: Callable[[], None]
    ) -> None:
        self._process, self._strays, self._release = process, strays, release
        # Without process descriptors (macOS) the end is noticed by looking every now and then.
        self.fd = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else None
        self.firm = True
        self.ended = False
        self.exit_code: int | None = None

    def hear(self) -> None:
        """See `Grip.hear`."""
        code = self._process.poll()
        if code is not None and not self.ended:
            self.ended = True
            self.exit_code = code if code >= 0 else 128 - code

    def kill(self) -> None:
        """See `Grip.kill`."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pid in self._strays():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def survivors(self, timeout_s: float) -> int:
        """See `Grip.survivors`. Gone means that two searches in a row found nobody: one may run between two forks."""
        deadline = time.monotonic() + timeout_s
        empty = 0
        left: set[int] = set()
        while empty < 2 and time.monotonic() < deadline:
            self.kill()
            left = self._strays()
            empty = 0 if left else empty + 1
            time.sleep(_RESCAN_S)
        try:
            # Bounded: a process killed on macOS has been seen not to be reaped for minutes.
            self._process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            left = left | {self._process.pid}
        if self.fd is not None:
            os.close(self.fd)
        self._release()
        return len(left)
