"""The stand-in's desk: what it has read, what it may still spend, and the calls that it asks for."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from gate.models.base import ToolResult
from gate.models.standin.clues import TestRun

Ask = tuple[str, Mapping[str, Any]]
"""A tool's name and its arguments."""


def tokens(characters: int) -> int:
    """The convention of the stand-in: four characters are a token."""
    return math.ceil(characters / 4)


@dataclass(frozen=True, slots=True)
class Step:
    """One reply that waits for results: a few words and at least one call."""

    text: str
    calls: tuple[Ask, ...]

    def tokens(self) -> int:
        """What saying it costs."""
        return tokens(len(self.text) + sum(len(name) + len(json.dumps(dict(args))) for name, args in self.calls))


T = TypeVar("T")
Script = Generator[Step, tuple[ToolResult, ...], T]
"""A piece of work: it yields steps, is sent their results, and returns what it found out."""

# What the closing message may cost; a step that would eat into it is not taken.
_LAST_WORDS = 150


class OutOfBudget(Exception):
    """The next step would cost more than is left. Nothing was asked for."""


def smallest_edit(before: str, after: str) -> tuple[str, str]:
    """The shortest run of whole lines, unique in `before`, whose replacement gives `after`. `before` is not empty."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    while True:
        text = "".join(old[head : len(old) - tail])
        at = before.find(text) if text else -1
        if at != -1 and before.find(text, at + 1) == -1:
            return text, "".join(new[head : len(new) - tail])
        if head == 0 and tail == 0:
            return before, after
        # Grow upwards first: the lines above (a name, a header) tell places apart better than those below.
        if head and (head >= tail or not tail):
            head -= 1
        else:
            tail -= 1


class Desk:
    """Keeps the texts that were read and counts calls and tokens against what the system prompt allows."""

    def __init__(self, tools: frozenset[str], calls: int | None, output_tokens: int | None) -> None:
        self.tools = tools
        self.texts: dict[str, str] = {}
        self.unreadable: dict[str, str] = {}
        self.saw_all = False
        self.found_all = True
        self._calls_left = math.inf if calls is None else calls
        self._tokens_left = math.inf if output_tokens is None else output_tokens - _LAST_WORDS

    @property
    def calls_left(self) -> float:
        """Tool calls that are left; infinite where nobody said."""
        return self._calls_left

    def affords(self, calls: Iterable[Ask], reserve: int = 0) -> bool:
        """Whether these calls can be made with `reserve` calls left over."""
        step = Step("", tuple(calls))
        return len(step.calls) + reserve <= self._calls_left and step.tokens() * (1 + bool(reserve)) < self._tokens_left

    def ask(self, text: str, *calls: Ask) -> Script[tuple[ToolResult, ...]]:
        """Make the calls at once. Raises OutOfBudget when they cannot be paid."""
        step = Step(text, calls)
        if len(calls) > self._calls_left or step.tokens() > self._tokens_left:
            raise OutOfBudget
        self._calls_left -= len(calls)
        self._tokens_left -= step.tokens()
        results = yield step
        return results

    def names(self) -> Script[list[str]]:
        """All files, as far as the tool tells."""
        if "list_files" not in self.tools:
            return []
        (result,) = yield from self.ask("I look at what is there.", ("list_files", {}))
        self.saw_all = "\n[cut:" not in result.text
        return [line for line in result.text.split("\n") if result.ok and line and not line.startswith("[cut:")]

    def search(self, pattern: str) -> Script[list[str]]:
        """The files in which a regular expression matches a line."""
        arguments = {"pattern": pattern, "regex": True}
        (result,) = yield from self.ask("I look for the name.", ("search", arguments))
        self.found_all = "\n[cut:" not in result.text
        found = re.findall(r"^(.+?):\d+: ", result.text, re.MULTILINE) if result.ok else []
        return list(dict.fromkeys(found))

    def read(self, paths: Iterable[str], text: str = "I read the files.") -> Script[None]:
        """Read what has not been read. What cannot be read whole goes to `unreadable` with the reason."""
        wanted = [path for path in dict.fromkeys(paths) if path not in self.texts and path not in self.unreadable]
        if not wanted or "read_file" not in self.tools:
            return
        results = yield from self.ask(text, *(("read_file", {"path": path}) for path in wanted))
        for path, result in zip(wanted, results, strict=True):
            head, _, body = result.text.partition("\n")
            if not result.ok:
                self.unreadable[path] = result.text
            elif head.endswith("cut: ask for the rest"):
                self.unreadable[path] = "too long to read at once"
            else:
                self.texts[path] = body

    def change(self, path: str, after: str) -> Ask:
        """The cheapest call that turns a file that was read into `after`."""
        before = self.texts[path]
        if before and "edit_file" in self.tools:
            old, new = smallest_edit(before, after)
            edit: Ask = ("edit_file", {"path": path, "old": old, "new": new})
            if "write_file" not in self.tools or len(old) + len(new) <= len(after):
                return edit
        return ("write_file", {"path": path, "content": after})

    @property
    def can_change(self) -> bool:
        """Whether there is a tool to change files with."""
        return bool({"edit_file", "write_file"} & self.tools)

    def tests(self, text: str) -> Script[TestRun | None]:
        """Run the tests; None where there is no such tool or it refuses."""
        if "run_tests" not in self.tools:
            return None
        (result,) = yield from self.ask(text, ("run_tests", {}))
        return TestRun.of(result.text) if result.ok else None
