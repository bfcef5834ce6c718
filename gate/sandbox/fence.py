"""One door to every back end: open the fence that works on this machine, or refuse with the remedy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gate.errors import ConfigError
from gate.sandbox.policy import Policy

LINE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Completed:
    """How one sandboxed command ended, by the fence's own record.

    `started` False: the command never ran, `refusal` says why, and nothing may be concluded about what was to be
    tested. `exit_code` is None when the command was killed by the fence (`timed_out`) or with it (`refusal` says so);
    a command that died on signal N has 128 + N. `stdout` and `stderr` hold at most `output_bytes` each (`truncated`:
    there was more). `survivors` counts processes that outlived the kill; anything but 0 is a broken fence.
    """

    started: bool
    exit_code: int | None
    timed_out: bool
    stdout: bytes
    stderr: bytes
    truncated: bool
    survivors: int
    seconds: float
    refusal: str


class Session(Protocol):
    """A sandboxed program that is talked to line by line. Its wall clock runs whether or not anyone listens."""

    def send(self, data: bytes) -> None:
        """Queue bytes for its standard input; never blocks, never fails: a dead program answers with None."""
        ...

    def read_line(self, timeout_s: float, max_bytes: int = LINE_BYTES) -> bytes | None:
        """The next line without its newline. None: it ended, took longer, or the line is over the cap."""
        ...

    def stop(self) -> Completed:
        """Kill what still runs and tell how it ended. May be called more than once."""
        ...


class Fence(Protocol):
    """A back end. `run` and `start` may be called from any thread; several runs at once do not disturb each other."""

    @property
    def name(self) -> str: ...

    @property
    def owner(self) -> int | None:
        """The uid that must own every overlay, or None where that is already the caller."""
        ...

    def fresh_owner(self) -> int | None:
        """A uid to own one plain copy, and to run what runs in it; None where that is already the caller."""
        ...

    @property
    def can_overlay(self) -> bool: ...

    def run(self, policy: Policy, argv: Sequence[str], *, stdin: bytes = b"") -> Completed:
        """Run one command to its end. `argv[0]` is an absolute path of a program that the harness chose: where the
        agent may have removed the program itself, run it through `/bin/sh -c`, so that its absence is a result.

        Raises ValueError for a policy that cannot be kept, and OSError for a path in it that does not exist.
        """
        ...

    def start(self, policy: Policy, argv: Sequence[str]) -> Session:
        """Start one command to talk to."""
        ...

    def cancel(self) -> None:
        """End everything that runs, from any thread, and whatever is started later: the run is over. What was cut
        short this way says nothing about what was to be tested."""
        ...

    def describe(self) -> dict[str, str]:
        """Stable facts for the record of a run: what a score may depend on."""
        ...


def _bubblewrap() -> Fence:
    from gate.sandbox.bubblewrap import open_bubblewrap

    return open_bubblewrap()


def _seatbelt() -> Fence:
    from gate.sandbox.seatbelt import open_seatbelt

    return open_seatbelt()


def _unfenced() -> Fence:
    from gate.sandbox.unfenced import Unfenced

    return Unfenced()


BACK_ENDS: dict[str, Callable[[], Fence]] = {"bubblewrap": _bubblewrap, "seatbelt": _seatbelt, "none": _unfenced}


def open_fence(choice: str = "auto") -> Fence:
    """The named back end, proven by running a command in it; `auto` is this system's and never `none`.

    Raises NoSandbox with what to do about it, and ConfigError for a name that no back end has.
    """
    name = ("seatbelt" if sys.platform == "darwin" else "bubblewrap") if choice == "auto" else choice
    if name not in BACK_ENDS:
        raise ConfigError(f"no such sandbox: {choice!r}; choose auto, {', '.join(BACK_ENDS)}")
    return BACK_ENDS[name]()
