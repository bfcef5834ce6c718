"""Colour: on a terminal only, and never where the user said no."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Protocol


class Terminal(Protocol):
    """As much of a stream as is asked here."""

    def isatty(self) -> bool: ...


class Colour(Enum):
    """What a colour means, not how it looks."""

    GOOD = "32"
    BAD = "31"
    OPEN = "33"
    QUIET = "2"
    LOUD = "1"


def wanted(stream: Terminal, environ: Mapping[str, str]) -> bool:
    """Whether to colour what goes to the stream. NO_COLOR (https://no-color.org) with any text in it says no."""
    return stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def paint(text: str, colour: Colour | None, on: bool) -> str:
    """The text in a colour, or as it is."""
    return f"\x1b[{colour.value}m{text}\x1b[0m" if on and colour is not None else text
