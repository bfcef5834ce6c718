"""Starting sandboxes from one thread that never ends, with a watcher that outlives the harness.

The kernel's "die with your parent" signal is tied to the thread that forked (prctl(2), PR_SET_PDEATHSIG): a sandbox
started by a worker thread would be killed when that worker ends. One thread of the harness starts them all.

The signal has a gap: when a harness is killed just after bubblewrap forked, bubblewrap dies, and its child, which
waits for a word from it, waits for ever. So every sandbox goes by a name drawn for this harness, and a small shell
at the other end of a pipe ends all that go by it once the harness is gone.
"""

from __future__ import annotations

import atexit
import os
import secrets
import subprocess
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from weakref import WeakSet

Process = subprocess.Popen[bytes]
"""What a launch gives: three pipes, a session of its own."""

_Order = tuple["Future[Process]", list[str], tuple[int, ...], dict[str, str], str]

_WATCHER = """\
read -r name
if read -r farewell; then exit 0; fi
empty=0
while [ $empty -lt 3 ]; do
  empty=$((empty + 1))
  for file in $(printf '%s\\n' "$name" | grep -alFf - /proc/[0-9]*/cmdline 2>/dev/null); do
    pid=${file#/proc/}
    kill -KILL "${pid%/cmdline}" 2>/dev/null && empty=0
  done
  sleep 0.05
done
"""


class Launcher:
    """A daemon thread that starts processes on order; it lives as long as the process that made it."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._name = f"gate-sandbox-{secrets.token_hex(8)}"
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        self._started: WeakSet[Process] = WeakSet()
        self._watcher = self._watch()
        threading.Thread(target=self._serve, name="gate-launcher", daemon=True).start()
        atexit.register(self._leave)

    def _watch(self) -> Process:
        """The watcher learns the name through its pipe, so that it does not go by that name itself."""
        quiet = subprocess.DEVNULL
        watcher = subprocess.Popen(
            ["/bin/sh", "-c", _WATCHER],
            stdin=subprocess.PIPE,
            stdout=quiet,
            stderr=quiet,
            bufsize=0,
            cwd="/",
            env={"PATH": "/usr/bin:/bin"},
            start_new_session=True,
        )
        if watcher.stdin is not None:
            watcher.stdin.write(f"{self._name}\n".encode())
        return watcher

    def _leave(self) -> None:
        """At a normal end with nothing running the watcher is sent home; otherwise it sees the pipe close."""
        if os.getpid() != self.pid or self._watcher.stdin is None:
            return
        if all(process.poll() is not None for process in self._started):
            with suppress(BrokenPipeError):
                self._watcher.stdin.write(b"farewell\n")
        self._watcher.stdin.close()
        self._watcher.wait()

    def _serve(self) -> None:
        while True:
            future, argv, pass_fds, environment, cwd = self._orders.get()
            try:
                process = subprocess.Popen(
                    [self._name, *argv[1:]],
                    executable=argv[0],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env=environment,
                    cwd=cwd,
                    close_fds=True,
                    pass_fds=pass_fds,
                    start_new_session=True,
                )
            except (OSError, ValueError, subprocess.SubprocessError) as error:
                future.set_exception(error)
            else:
                self._started.add(process)
                future.set_result(process)
                del process
            del future

    def launch(
        self, argv: Sequence[str], environment: Mapping[str, str], *, cwd: str = "/", pass_fds: tuple[int, ...] = ()
    ) -> Process:
        """Start `argv` in a session of its own with three pipes. Raises OSError when it cannot be executed."""
        future: Future[Process] = Future()
        self._orders.put((future, list(argv), pass_fds, dict(environment), cwd))
        return future.result()


_lock = threading.Lock()
_launcher: Launcher | None = None


def launcher() -> Launcher:
    """The launcher of this process; a forked child gets its own, since threads do not survive a fork."""
    global _launcher  # noqa: PLW0603  one per process is the point
    with _lock:
        if _launcher is None or _launcher.pid != os.getpid():
            _launcher = Launcher()
        return _launcher
