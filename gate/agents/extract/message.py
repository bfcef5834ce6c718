"""A message taken apart: fenced blocks, diffs and search/replace blocks that stand free, and the line above each."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from gate.agents.extract.diffs import Section, read_section, starts_diff
from gate.agents.extract.unclear import MAX_PIECES, Unclear

OPEN = re.compile(r"<{5,9} SEARCH\s*\Z")
DIVIDER = re.compile(r"={5,9}\s*\Z")
CLOSE = re.compile(r">{5,9} REPLACE\s*\Z")

_FENCE = re.compile(r"([ \t]*)((?:[-*+]|\d{1,4}[.)])[ \t]+)?(`{3,}|~{3,})(.*)\Z", re.DOTALL)

# What free diffs and search/replace blocks begin with.
_FIRST = frozenset("<d-")

# A path may stand above its block with an empty line between them.
_GAP = 1


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block. `above` is the text line before it, `indent` the columns before its marks, `marks` their number.

    `whole` is False where it has no end, or where other blocks begin in it and do not end.
    """

    info: str
    lines: tuple[str, ...]
    above: str
    indent: int
    marks: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Edit:
    """A search/replace block. `above` is the text line before it; it `follows` where nothing stands after another."""

    above: str
    search: tuple[str, ...]
    replace: tuple[str, ...]
    follows: bool


Item = Fence | Edit | Section


class Reader:
    """Reads lines from the first to the last. Every line is looked at a bounded number of times."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.closes = [number for number, line in enumerate(lines) if line.startswith(">") and CLOSE.match(line)]
        self.above = ""
        self.gap = 0
        self.after_edit = False

    def items(self, *, fences: bool = True) -> list[Item]:
        """What the lines hold, in its order. Without `fences` the lines are those of a block. Raises Unclear."""
        found: list[Item] = []
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            may_open = line[:1] in _FIRST or "```" in line or "~~~" in line
            item, after = self._item(at, fences=fences) if may_open else (None, at)
            if item is None:
                self._pass(line)
                at += 1
                continue
            found.append(item)
            if len(found) > MAX_PIECES:
                raise Unclear(f"the message holds more than {MAX_PIECES} blocks")
            self.above, self.gap, self.after_edit = "", 0, isinstance(item, Edit)
            at = after
        return found

    def _item(self, at: int, *, fences: bool) -> tuple[Item | None, int]:
        line = self.lines[at]
        if line.startswith("<") and OPEN.match(line):
            return self._edit(at)
        if not fences:
            return None, at
        if starts_diff(self.lines, at):
            return read_section(self.lines, at, fenced=False)
        match = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if match and not (match[3][0] == "`" and "`" in match[4]):
            return self._fence(at, match)
        return None, at

    def _pass(self, line: str) -> None:
        """Remember the last line of text, and how far above it is."""
        if line.strip():
            self.above, self.gap, self.after_edit = line, 0, False
        elif self.above:
            self.gap += 1
            if self.gap > _GAP:
                self.above = ""

    def _next_close(self, at: int) -> int | None:
        found = bisect(self.closes, at)
        return self.closes[found] if found < len(self.closes) else None

    def _edit(self, at: int) -> tuple[Edit, int]:
        end = self._next_close(at)
        if end is None:
            raise Unclear("a search/replace block does not end")
        body = self.lines[at + 1 : end]
        dividers = [number for number, line in enumerate(body) if line.startswith("=") and DIVIDER.match(line)]
        if len(dividers) != 1 or any(line.startswith("<") and OPEN.match(line) for line in body):
            raise Unclear("a search/replace block needs exactly one line of ======= between its marks")
        (middle,) = dividers
        return Edit(self.above, tuple(body[:middle]), tuple(body[middle + 1 :]), self.after_edit), end + 1

    def _fence(self, at: int, opening: re.Match[str]) -> tuple[Fence, int]:
        """The block that opens at a line. Its marks do not end it where they are indented more than the first were:
        they belong to its content, as do those of a block that begins in it with a language of its own."""
        lead, marks, info = opening[1] + " " * len(opening[2] or ""), opening[3], opening[4].strip()
        depth, end = 1, at + 1
        while end < len(self.lines):
            line = self.lines[end]
            if line.startswith("<") and OPEN.match(line) and (close := self._next_close(end)) is not None:
                end = close + 1
                continue
            inner = _FENCE.match(line) if marks[:3] in line else None
            if inner and not inner[2] and len(inner[1]) <= len(lead) and inner[3].startswith(marks):
                after = inner[4].strip()
                if not after:
                    depth -= 1
                elif marks[0] == "~" or "`" not in after:
                    depth += 1
                if depth == 0:
                    break
            end += 1
        lines = _dedented(self.lines[at + 1 : end], lead)
        whole = depth == 0 or (depth == 1 and self._cut(at, info))
        return Fence(info, tuple(lines), self.above, len(lead), len(marks), whole), end + 1

    def _cut(self, at: int, info: str) -> bool:
        """Whether a block without an end is one that was cut off there, rather than the end of another."""
        return bool(info) or not any(line.lstrip().startswith(("```", "~~~")) for line in self.lines[:at])


def _dedented(lines: Sequence[str], lead: str) -> Sequence[str]:
    """The lines without the indentation of their fence, where all of them have it."""
    if not lead or not all(line.startswith(lead) for line in lines if line.strip()):
        return lines
    return [line[len(lead) :] for line in lines]
