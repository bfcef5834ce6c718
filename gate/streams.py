"""The two streams that a person reads: what was said on stdout arrived, or the exit code says that it did not.

stderr is talk. It may be lost without changing what a verb found.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn, TextIO

from gate.errors import ExitCode, OutputLost


class _Out(io.TextIOWrapper):
    """Raises OutputLost where the text cannot be delivered. A reader who went away is a BrokenPipeError, as ever."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            _lost(error)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            _lost(error)


class _Talk(io.TextIOWrapper):
    """Says what it can. A reader who went away ends the verb all the same: nobody is waiting for it any more."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            raise
        except OSError:
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            raise
        except OSError:
            return


def _lost(error: OSError) -> NoReturn:
    # What is still in the buffer goes nowhere, or the interpreter would fail once more on its way out.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        raise error
    why = "is closed" if error.errno == errno.EBADF else f"takes nothing more ({error.strerror})"
    raise OutputLost(f"standard output {why}: what was to be said there is lost") from error


def guard() -> None:
    """Make both streams of this process keep their promise, whatever they are connected to.

    A descriptor that is closed is occupied first: the next file to be opened must not become somebody's stdout. There,
    stdout cannot be written to, so that a report that nobody gets is an error.
    """
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest free number, which is this one
    sys.stdout = _over(_Out, sys.stdout, 1)
    sys.stderr = _over(_Talk, sys.stderr, 2)


def _over(kind: type[_Out | _Talk], stream: TextIO | None, number: int) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):  # the interpreter found the descriptor closed
        return kind(open(number, "wb", closefd=False), encoding="utf-8", line_buffering=True)
    encoding, by_line, at_once = stream.encoding, stream.line_buffering or number == 2, stream.write_through
    return kind(
        stream.detach(), encoding=encoding, errors="backslashreplace", line_buffering=by_line, write_through=at_once
    )


def delivered(code: int) -> int:
    """The exit code once everything has been handed over: never 0 where some of it was not."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return code or ExitCode.BROKEN
    except OutputLost as error:
        print(f"gate: {error.message}", file=sys.stderr)  # noqa: T201  # nobody above this one can
        return code or error.exit_code
    return code
