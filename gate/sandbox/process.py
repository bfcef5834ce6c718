"""Supervising one process tree: feed it, drain it, stop it at its deadline, and prove that it is gone.

Output is read to the end and kept up to a cap, so a flood neither fills memory nor blocks the writer. The end is
the end of the tree, never the end of its output: a daemon that keeps the pipe open does not keep the harness.
"""

from __future__ import annotations

import os
import select
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Protocol

from gate.sandbox.fence import LINE_BYTES, Completed
from gate.sandbox.policy import Limits

READY = b"K"
"""What the wrapper prints as the very first byte, in the place of which a command cannot write: it has not begun."""

WRAPPER = """\
read -r go || exit 125
if [ -f "$1" ] && [ -x "$1" ]; then printf K; exec "$@"; fi
printf 'cannot execute %s\\n' "$1" >&2
exit 125
"""
"""The last step before the command, for /bin/sh -c. It waits for a line, so that a harness that died before it had
a grip on the tree leaves nothing running: its end of the pipe closes, `read` fails, and the command never starts."""

_CHUNK = 1 << 16
_GRACE_S = 5.0
_TICK_S = 0.02


class Grip(Protocol):
    """A hold on a process tree, as a back end has it."""

    @property
    def fd(self) -> int | None:
        """Readable when there is something to hear; None where the system has no such thing (it is polled)."""
        ...

    @property
    def firm(self) -> bool:
        """The tree can be killed as a whole from here on: the command may begin."""
        ...

    @property
    def ended(self) -> bool:
        """The command has ended (its descendants may not have)."""
        ...

    @property
    def exit_code(self) -> int | None: ...

    def hear(self) -> None:
        """Take in what is known by now; never blocks."""
        ...

    def kill(self) -> None:
        """SIGKILL the whole tree."""
        ...

    def survivors(self, timeout_s: float) -> int:
        """Wait for the tree to be gone, release everything, and count what is still there."""
        ...


@dataclass(slots=True)
class Stream:
    """One output of the tree: what was kept, and whether there was more."""

    fd: int
    cap: int
    data: bytearray = field(default_factory=bytearray)
    truncated: bool = False
    at_end: bool = False

    def read(self, most: int = _CHUNK) -> bool:
        """Take one chunk of at most `most` bytes; False when nothing was there."""
        try:
            chunk = os.read(self.fd, most)
        except BlockingIOError:
            return False
        if not chunk:
            self.at_end = True
            return False
        room = self.cap - len(self.data)
        self.data += chunk[:room]
        self.truncated = self.truncated or len(chunk) > room
        return True


class Pump:
    """Moves the bytes of one tree until it ends. `step` belongs to one thread; `changed` guards what others read."""

    def __init__(self, process: subprocess.Popen[bytes], grip: Grip, limits: Limits, *, talks: bool = False) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("a supervised process needs three pipes")
        self.changed = threading.Condition()
        self.started = False
        self.timed_out = False
        self._process, self._grip, self._talks = process, grip, talks
        self._began = time.monotonic()
        self._deadline = self._began + limits.wall_s
        self.stdout = Stream(process.stdout.fileno(), limits.output_bytes)
        self.stderr = Stream(process.stderr.fileno(), limits.output_bytes)
        self._stdin = process.stdin
        self._outbox, self._sent, self._last = bytearray(b"\n"), 0, False
        self._stop = False
        self._wake_read, self._wake_write = os.pipe()
        for fd in (self.stdout.fd, self.stderr.fd, self._stdin.fileno(), self._wake_read, self._wake_write):
            os.set_blocking(fd, False)

    def feed(self, data: bytes, *, last: bool) -> None:
        """Queue input; `last` closes the input after it."""
        with self.changed:
            self._outbox += data
            self._last = self._last or last
        self._wake()

    def stop(self) -> None:
        """Ask `step` to end, from any thread."""
        self._stop = True
        self._wake()

    def _wake(self) -> None:
        with suppress(BlockingIOError):
            os.write(self._wake_write, b"w")

    def step(self) -> bool:
        """Wait for something to happen and deal with it; False once there is nothing more to wait for."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            self.timed_out = not self._grip.ended
        if self._grip.ended or self._stop or left <= 0:
            return False
        poll, wanted = select.poll(), self._wanted()
        for fd, events in wanted.items():
            poll.register(fd, events)
        ready = {fd for fd, _ in poll.poll(1000 * (left if self._grip.fd is not None else min(left, _TICK_S)))}
        with self.changed:
            if self._wake_read in ready:
                os.read(self._wake_read, _CHUNK)
            if self._grip.fd is None or self._grip.fd in ready:
                self._grip.hear()
            if self.stdout.fd in ready and self.stdout.read(self._room()):
                self._note_start()
            if self.stderr.fd in ready:
                self.stderr.read()
            if not self._stdin.closed and self._stdin.fileno() in ready:
                self._write()
            self.changed.notify_all()
        return True

    def _wanted(self) -> dict[int, int]:
        wanted = {self._wake_read: select.POLLIN}
        if self._grip.fd is not None:
            wanted[self._grip.fd] = select.POLLIN
        if not self.stdout.at_end and self._room() > 0:
            wanted[self.stdout.fd] = select.POLLIN
        if not self.stderr.at_end:
            wanted[self.stderr.fd] = select.POLLIN
        if self._grip.firm and not self._stdin.closed and (self._sent < len(self._outbox) or self._last):
            wanted[self._stdin.fileno()] = select.POLLOUT
        return wanted

    def _room(self) -> int:
        """How much to read at once: in a conversation never more than can be kept, for every line counts."""
        return min(_CHUNK, self.stdout.cap - len(self.stdout.data)) if self._talks else _CHUNK

    def _note_start(self) -> None:
        if not self.started and self.stdout.data:
            if self.stdout.data[:1] != READY:
                self._stop = True
                return
            self.started = True
            del self.stdout.data[:1]

    def _write(self) -> None:
        try:
            with memoryview(self._outbox) as view:
                self._sent += os.write(self._stdin.fileno(), view[self._sent : self._sent + _CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._stdin.close()
            return
        if self._sent == len(self._outbox):
            self._outbox, self._sent = bytearray(), 0
            if self._last:
                self._stdin.close()

    def finish(self) -> Completed:
        """Kill what is left, read what is left, release every descriptor, and say how it ended."""
        self._stdin.close()
        killed = not self._grip.ended
        if killed:
            self._grip.kill()
        survivors = self._grip.survivors(_GRACE_S)
        seconds = time.monotonic() - self._began
        with self.changed:
            for stream in (self.stdout, self.stderr):
                while not stream.at_end and stream.read():
                    self._note_start()
            self.changed.notify_all()
        exit_code = self._grip.exit_code if self.started and not self.timed_out else None
        errors = bytes(self.stderr.data)
        self._release()
        return Completed(
            started=self.started,
            exit_code=exit_code,
            timed_out=self.timed_out,
            stdout=bytes(self.stdout.data),
            stderr=errors,
            truncated=self.stdout.truncated or self.stderr.truncated,
            survivors=survivors,
            seconds=seconds,
            refusal=self._refusal(errors, exit_code, stopped=killed),
        )

    def _refusal(self, errors: bytes, exit_code: int | None, *, stopped: bool) -> str:
        if self.started:
            ended_oddly = exit_code is None and not self.timed_out and not stopped
            return "the sandbox was killed from outside" if ended_oddly else ""
        if self.timed_out:
            return "the sandbox was not up before the time was over"
        return errors.decode("utf-8", "replace").strip()[-2000:] or "the sandbox ended before the command began"

    def _release(self) -> None:
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        os.close(self._wake_read)
        os.close(self._wake_write)


class Up:
    """The trees of one back end that are up, so that an interrupt can end them all, whichever thread waits for them."""

    def __init__(self) -> None:
        self._pumps: set[Pump] = set()
        self._lock = threading.Lock()
        self._cancelled = False

    @contextmanager
    def holding(self, pump: Pump) -> Iterator[None]:
        """Count a tree as up; one that comes up after `cancel` is ended at once."""
        with self._lock:
            self._pumps.add(pump)
            if self._cancelled:
                pump.stop()
        try:
            yield
        finally:
            with self._lock:
                self._pumps.discard(pump)

    def cancel(self) -> None:
        """End every tree that is up and every one that is yet to come."""
        with self._lock:
            self._cancelled = True
            for pump in self._pumps:
                pump.stop()


def supervise(process: subprocess.Popen[bytes], grip: Grip, limits: Limits, stdin: bytes, up: Up) -> Completed:
    """Run a started process to its end in the calling thread; an interrupt kills the tree first."""
    pump = Pump(process, grip, limits)
    pump.feed(stdin, last=True)
    with up.holding(pump):
        try:
            while pump.step():
                pass
        except BaseException:
            pump.finish()
            raise
        return pump.finish()


class Conversation:
    """A Session: the pump runs in a thread of its own, so that the deadline holds while nobody listens."""

    def __init__(self, process: subprocess.Popen[bytes], grip: Grip, limits: Limits, up: Up) -> None:
        self._pump = Pump(process, grip, limits, talks=True)
        self._up = up
        self._completed: Completed | None = None
        self._thread = threading.Thread(target=self._work, name="gate-session", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        with self._up.holding(self._pump):
            while self._pump.step():
                pass
            completed = self._pump.finish()
        with self._pump.changed:
            self._completed = completed
            self._pump.changed.notify_all()

    def send(self, data: bytes) -> None:
        """See `Session.send`."""
        with self._pump.changed:
            if self._completed is None:
                self._pump.feed(data, last=False)

    def read_line(self, timeout_s: float, max_bytes: int = LINE_BYTES) -> bytes | None:
        """See `Session.read_line`."""
        deadline = time.monotonic() + timeout_s
        pump = self._pump
        with pump.changed:
            while True:
                found = pump.stdout.data.find(b"\n", 0, max_bytes + 1) if pump.started else -1
                if found >= 0:
                    line = bytes(pump.stdout.data[:found])
                    was_full = len(pump.stdout.data) >= pump.stdout.cap
                    del pump.stdout.data[: found + 1]
                    if was_full and self._completed is None:
                        pump.feed(b"", last=False)
                    return line
                left = deadline - time.monotonic()
                too_long = pump.started and len(pump.stdout.data) >= min(max_bytes + 1, pump.stdout.cap)
                if too_long or left <= 0 or self._completed is not None:
                    return None
                pump.changed.wait(left)

    def stop(self) -> Completed:
        """See `Session.stop`."""
        with self._pump.changed:
            if self._completed is None:
                self._pump.stop()
        self._thread.join()
        if self._completed is None:
            raise RuntimeError("the session's thread died")
        return self._completed
