"""Searching the files of the copy, within a bound of time."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from typing import Any

from gate.agents.inside.paths import Refused, resolve, text_of, walk

MAX_MATCHES = 200
MAX_LINE = 300
MAX_SEARCHED_FILE = 1024 * 1024
SEARCH_S = 5.0


class _TooLong(Exception):
    """The alarm of a search."""


def _expired(_signal: int, _frame: object) -> None:
    raise _TooLong


def _matches(found: re.Pattern[str], names: Iterator[str], into: list[list[Any]]) -> int:
    """Collect `[path, line, text]`; the return value is the number of files that were too large or not text."""
    skipped = 0
    for name in names:
        try:
            real = resolve(name)
            if real.lstat().st_size > MAX_SEARCHED_FILE:
                skipped += 1
                continue
            text, _ = text_of(real, name)
        except (Refused, OSError):
            skipped += 1
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if found.search(line):
                into.append([name, number, line.rstrip("\r")[:MAX_LINE]])
                if len(into) > MAX_MATCHES:
                    return skipped
    return skipped


def search(pattern: str, regex: bool, ignore_case: bool, names: list[str] | None) -> dict[str, Any]:
    """Lines that match, over `names` or all files, within `SEARCH_S` seconds."""
    try:
        found = re.compile(pattern if regex else re.escape(pattern), re.IGNORECASE if ignore_case else 0)
    except (re.error, RecursionError, OverflowError) as error:
        raise Refused(f"not a regular expression: {error}") from None
    into: list[list[Any]] = []
    # The re module looks for signals while it backtracks, so an alarm ends even a pattern that never would.
    signal.signal(signal.SIGALRM, _expired)
    signal.setitimer(signal.ITIMER_REAL, SEARCH_S)
    try:
        skipped = _matches(found, iter(names) if names is not None else walk(), into)
    except _TooLong:
        raise Refused(f"the search took longer than {SEARCH_S:g} s; use a simpler pattern or a glob") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return {"matches": into[:MAX_MATCHES], "more": len(into) > MAX_MATCHES, "skipped": skipped}
