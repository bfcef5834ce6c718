"""The grip on a bubblewrap tree: its first process, held by a descriptor that no reuse of a number can confuse.

bubblewrap's status channel names the first process of the sandbox's own pid namespace before anything runs in it.
When that process dies the kernel kills every other one of the namespace, whatever session or group it fled to, and
its descriptor reads as ended only after all of them are gone (pid_namespaces(7)). So the proof that a tree is gone
is one poll, other trials' trees cannot be hit, and the harness need not become the reaper of its user's children.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from contextlib import suppress

from gate.sandbox import kin

_ATTACH_S = 1.0


class Namespace:
    """See `process.Grip`. `status` is the read end of the pipe given to `--json-status-fd`."""

    def __init__(self, outer: subprocess.Popen[bytes], status: int) -> None:
        self._outer, self.fd = outer, status
        self._first: int | None = None
        self._first_pid = 0
        self._text = b""
        self.ended = False
        self.exit_code: int | None = None
        os.set_blocking(status, False)

    @property
    def firm(self) -> bool:
        """See `Grip.firm`."""
        return self._first is not None

    def hear(self) -> None:
        """See `Grip.hear`. The channel closes when bubblewrap itself, outside the sandbox, has ended."""
        try:
            chunk = os.read(self.fd, 4096)
        except BlockingIOError:
            return
        self.ended = not chunk
        *lines, self._text = (self._text + chunk).split(b"\n")
        for line in lines:
            record = json.loads(line)
            if "child-pid" in record:
                self._attach(record["child-pid"])
            if "exit-code" in record:
                self.exit_code = record["exit-code"]

    def _attach(self, pid: int) -> None:
        with suppress(ProcessLookupError):
            held = os.pidfd_open(pid)
            if kin.parent_of(pid) == self._outer.pid:
                self._first, self._first_pid = held, pid
            else:
                os.close(held)

    def kill(self) -> None:
        """See `Grip.kill`. Killing bubblewrap before its child is known could orphan the child, so wait for the name:
        the command itself has not begun."""
        deadline = time.monotonic() + _ATTACH_S
        while self._first is None and not self.ended and (left := deadline - time.monotonic()) > 0:
            if _readable(self.fd, left):
                self.hear()
        if self._first is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
        else:
            self._outer.kill()

    def survivors(self, timeout_s: float) -> int:
        """See `Grip.survivors`."""
        deadline = time.monotonic() + timeout_s
        gone = self._first is None or _readable(self._first, timeout_s)
        try:
            self._outer.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._outer.kill()
            self._outer.wait()
        left = 0
        if not gone:
            left = 1 + len(kin.descendants(self._first_pid))
        elif self._first is None:
            left = self._sweep()
        if self._first is not None:
            os.close(self._first)
        os.close(self.fd)
        return left

    def _sweep(self) -> int:
        """bubblewrap ended without naming a child: normally there was none, unless it was killed from outside just
        after it forked. Such a child is still in the session that began with bubblewrap."""
        if self._outer.returncode >= 0:
            return 0
        for pid in kin.in_session(self._outer.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(kin.in_session(self._outer.pid))


def _readable(fd: int, timeout_s: float) -> bool:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(1000 * timeout_s))
