"""One line for each trial as it ends, and on a terminal a bar below them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import TextIO

from gate.outcome import Outcome, Slice, Status
from gate.report.colour import Colour, paint, wanted
from gate.report.text import cut, encodable, pad, plain

WIDTH = 79
BAR = 24
MOST_REASONS = 5
_CLEAR_LINE = "\r\x1b[2K"


def answer(outcome: Outcome) -> tuple[str, Colour]:
    """How the trial ended, in a word. On a trap, `held` is what is wanted and `SPRUNG` is not."""
    if not outcome.scored:
        return str(outcome.status), Colour.OPEN
    if outcome.slice is Slice.CANARY:
        if outcome.passed:
            return "SPRUNG", Colour.BAD
        return ("leak detected" if outcome.status is Status.LEAKED else "held"), Colour.GOOD
    return str(outcome.status), Colour.GOOD if outcome.passed else Colour.BAD


def lines(outcome: Outcome, *, colour: bool = False) -> Iterator[str]:
    """The line of a trial, and one for each reason where it did not go as wanted."""
    word, hue = answer(outcome)
    end = f"{outcome.seconds:6.1f}s"
    name = plain(f"{outcome.slice:<7} {outcome.id} seed {outcome.seed} ")
    dots = pad(cut(name, WIDTH - len(word) - len(end) - 5), WIDTH - len(word) - len(end) - 1, ".")
    yield f"{dots} {paint(word, hue, colour)}{end}"
    if hue is Colour.GOOD:
        return
    for reason in outcome.reasons[:MOST_REASONS]:
        yield f"        - {plain(reason)}"
    if len(outcome.reasons) > MOST_REASONS:
        yield f"        - and {len(outcome.reasons) - MOST_REASONS} more"


class Progress:
    """Writes trials to a stream as they end, from whichever thread. `total` is the number of trials planned."""

    def __init__(self, stream: TextIO, total: int, environ: Mapping[str, str]) -> None:
        self._stream = stream
        self._total = total
        self._ended = 0
        self._lock = threading.Lock()
        self._colour = wanted(stream, environ)
        self._bar = stream.isatty() and environ.get("TERM") != "dumb"

    def ended(self, outcome: Outcome) -> None:
        """One more trial is done."""
        text = "".join(line + "\n" for line in lines(outcome, colour=self._colour))
        with self._lock:
            self._ended += 1
            self._erase()
            self._stream.write(encodable(text, self._stream.encoding))
            if self._bar and self._ended < self._total:
                filled = BAR * self._ended // self._total
                self._stream.write(f"[{'#' * filled}{' ' * (BAR - filled)}] {self._ended}/{self._total}")
            self._stream.flush()

    def close(self) -> None:
        """Take the bar away; the lines stay."""
        with self._lock:
            self._erase()
            self._stream.flush()

    def _erase(self) -> None:
        if self._bar:
            self._stream.write(_CLEAR_LINE)
