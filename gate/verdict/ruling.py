"""One rule's answer: what it asked, how it came out, and the sentence for whoever reads it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Answer(StrEnum):
    """How a rule came out. `OFF` rules were not asked for; `NOTED` ones do not decide."""

    HELD = "held"
    BLOCKED = "blocked"
    OPEN = "inconclusive"
    NOTED = "noted"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Finding:
    """A code that does not change between versions, and a sentence that may."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one rule asked (`rule`, a short phrase) and its answer; `text` says why where it did not simply hold."""

    code: str
    rule: str
    answer: Answer
    text: str = ""

    @property
    def finding(self) -> Finding:
        """The ruling as a blocker, note or reason."""
        return Finding(self.code, self.text)


def decimal(value: Fraction) -> str:
    """A threshold as people wrote it: `0.25`, or `1/3` where no short decimal is exact."""
    short = repr(float(value))
    return short if value.denominator > 1 and Fraction(short) == value else str(value)
