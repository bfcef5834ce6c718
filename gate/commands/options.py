"""Values on the command line that more than one verb takes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from fractions import Fraction

_SHARE = re.compile(r"\d{1,9}(\.\d{1,12})?|\.\d{1,12}|\d{1,9}/0{0,8}[1-9]\d{0,8}")

_AMOUNT = re.compile(r"\d{1,9}(\.\d{1,9})?|\.\d{1,9}")


def share(text: str) -> Fraction:
    """A share of canaries, exactly as it was written."""
    if not _SHARE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"`{text}` is not a number such as 0.25 or 1/4")
    value = Fraction(text)
    if value > 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def at_least(least: int) -> Callable[[str], int]:
    """A whole number with a lower bound."""

    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < least:
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from {least}")
        return int(text)

    return parse


def dollars(text: str) -> float:
    """An amount of money: more than nothing, and less than everything."""
    value = float(text) if _AMOUNT.fullmatch(text) else 0.0
    if not value:
        raise argparse.ArgumentTypeError(f"`{text}` is not an amount such as 2.50")
    return value
