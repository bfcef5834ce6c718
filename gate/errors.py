"""Everything that ends a verb, one class per exit code.

The classes live together because each is a different exit code, and the table below is the whole list.
`gate.cli` is the one place that catches them; anything else that escapes is a bug and may show its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import ClassVar


class ExitCode(IntEnum):
    """What the shell sees. Zero is only ever a clear verdict (or a verb that did what it was asked)."""

    CLEAR = 0
    BROKEN = 1
    BLOCKED = 2
    INCONCLUSIVE = 3
    USAGE = 64
    INTERRUPTED = 130


class GateError(Exception):
    """A known way to end: one message for the person who meets it, one exit code."""

    exit_code: ClassVar[ExitCode] = ExitCode.BROKEN

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class HarnessBroken(GateError):
    """The harness or a grader cannot be trusted, so no number of this run can be."""

    exit_code = ExitCode.BROKEN


class OutputLost(GateError):
    """What was to be said on stdout could not be delivered: a full disk, a descriptor that is closed."""

    exit_code = ExitCode.BROKEN


class NotMeasured(GateError):
    """It could not be measured: nothing selected, a missing shard, a provider that never answered."""

    exit_code = ExitCode.INCONCLUSIVE


class NoSandbox(NotMeasured):
    """No fence works on this machine; the message holds the exact remedy."""


class Interrupted(GateError):
    """The user asked us to stop; what was finished is in the journal."""

    exit_code = ExitCode.INTERRUPTED


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong with an input file: where, which key, why, and what to do."""

    path: str
    line: int
    key: str
    reason: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.key}: {self.reason}" if self.key else f"{where}: {self.reason}"


class ConfigError(GateError):
    """A usage or configuration error. Holds every problem found, never only the first."""

    exit_code = ExitCode.USAGE

    def __init__(self, problems: Iterable[Problem] | str) -> None:
        if isinstance(problems, str):
            self.problems: tuple[Problem, ...] = ()
            super().__init__(problems)
            return
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @classmethod
    def at(cls, path: Path | str, line: int, key: str, reason: str) -> ConfigError:
        """A single problem at one place."""
        return cls([Problem(str(path), line, key, reason)])
