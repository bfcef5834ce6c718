"""What the output of a test run tells: whether it passed, how much failed, where, and what kind of wrong it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_COUNTS = (
    re.compile(r"\b(\d+) (?:failed|errors?)\b"),  # pytest, jest
    re.compile(r"^# (?:fail|cancelled) (\d+)$", re.MULTILINE),  # node, tap
    re.compile("^\N{INFORMATION SOURCE} (?:fail|cancelled) (\\d+)$", re.MULTILINE),  # node, spec
    re.compile(r"\b(?:failures|errors)=(\d+)"),  # unittest
)
_PLACES = re.compile(r"(?:file://)?([\w./@+-]+\.(?:py|[cm]?[jt]sx?))(?:\", line |:)(\d+)")
_PAIRS = (
    re.compile(r"\bassert (-?\d+(?:\.\d+)?) == (-?\d+(?:\.\d+)?)"),  # pytest
    re.compile(r"(-?\d+(?:\.\d+)?) !==? (-?\d+(?:\.\d+)?)"),  # node, unittest
    re.compile(r"expected: (-?\d+(?:\.\d+)?)\s+actual: (-?\d+(?:\.\d+)?)"),  # tap
    re.compile(r"[Ee]xpected:? (-?\d+(?:\.\d+)?)\s+(?:[Rr]eceived|but got|got):? (-?\d+(?:\.\d+)?)"),  # jest
)

# What an exception or a pair of words in the output speaks for. The kinds are those of the mutations.
_SYMPTOMS: Mapping[str, tuple[str, ...]] = {
    r"IndexError|out of range|Cannot read properties of undefined": ("boundary", "offset", "index"),
    r"ZeroDivisionError|\bNaN\b|Infinity": ("boundary", "none", "compare"),
    r"KeyError|StopIteration": ("index", "none", "compare"),
    r"UnboundLocalError|NameError|ReferenceError": ("name",),
    r"RecursionError|Maximum call stack": ("boundary", "offset", "arithmetic"),
    r"assert None\b|'NoneType'|undefined !==|actual: undefined|got None": ("return",),
    r"\b(?:True|False|true|false)\b": ("boundary", "compare", "boolean", "negate", "logic"),
    r"DID NOT RAISE|Missing expected exception|Missing expected rejection": ("boundary", "compare", "logic", "negate"),
    r"Lists differ|At index \d+ diff|deepStrictEqual|deepEqual": ("order", "offset", "index", "boundary", "copy"),
}

# What the words of the task speak for.
_WORDS: Mapping[str, tuple[str, ...]] = {
    r"off.by.one|boundar|exactly|inclusive|exclusive|at least|at most|edge|\bfull\b|\blast\b|\bfirst\b|limit": (
        "boundary",
        "offset",
        "index",
    ),
    r"\border|sort|descending|ascending|revers|alphabet": ("order", "compare"),
    r"opposite|inverted|wrong way|swapped|instead of": ("negate", "swap", "compare", "arithmetic"),
    r"shared?\b|\btoo\b|alias|mutat|leak|reorder|copy|its own|side effect|input|keeps? (?:growing|state)": (
        "copy",
        "default",
    ),
    r"empty|zero|missing|falsy|none\b|null\b|default|optional": ("none", "boundary"),
    r"round|cents?\b|truncat|precision": ("round", "arithmetic"),
    r"case|upper|lower|prefix|suffix|trim|strip|white ?space": ("method",),
    r"return": ("return",),
    r"\bnot\b|unless|never|only (?:if|when)|both|either": ("logic", "negate"),
    r"total|sum|average|mean|count|add|subtract|multipl|divid|percent": ("arithmetic", "offset"),
}


@dataclass(frozen=True, slots=True)
class TestRun:
    """One run of the tests. `failures` is None where no runner said how many."""

    __test__ = False  # not a test case, whatever pytest thinks of the name

    passed: bool
    failures: int | None
    text: str

    @classmethod
    def of(cls, text: str) -> TestRun:
        """Read what the tool shows of it."""
        ends = re.findall(r"^(?:exit code (\S+)|(did not end) within [\d.]+ s)$", text, re.MULTILINE)
        passed = bool(ends) and all(code == "0" for code, _ in ends)
        counts = [int(count) for pattern in _COUNTS for count in pattern.findall(text)]
        return cls(passed, sum(counts) if counts else None, text)

    @property
    def late(self) -> bool:
        """Whether the tests did not come to an end."""
        return "\ndid not end within " in self.text

    def places(self) -> list[tuple[str, int]]:
        """Every `path:line` that the output names, in order."""
        return [(path, int(line)) for path, line in _PLACES.findall(self.text)]

    def better_than(self, other: TestRun) -> bool:
        """Fewer failures, told by the same runner, and an end."""
        if self.late or self.failures is None or other.failures is None:
            return False
        return 0 < self.failures < other.failures


def _off(text: str) -> tuple[str, ...]:
    """What the numbers of a failed comparison speak for."""
    kinds: list[str] = []
    for one, other in (pair for pattern in _PAIRS for pair in pattern.findall(text)):
        a, b = float(one), float(other)
        if abs(a - b) == 1:
            kinds += ["boundary", "offset", "index"]
        elif a == -b and a:
            kinds += ["swap", "arithmetic", "return"]
        elif 0 < abs(a - b) < 1:
            kinds += ["round", "arithmetic"]
        elif a != b:
            kinds += ["arithmetic"]
    return tuple(kinds)


def leanings(output: str, task: str) -> frozenset[str]:
    """The kinds of change that the failures and the words of the task speak for."""
    kinds: list[str] = list(_off(output))
    for table, text in ((_SYMPTOMS, output), (_WORDS, task.lower())):
        for pattern, spoken in table.items():
            if re.search(pattern, text):
                kinds += spoken
    return frozenset(kinds)


def is_test(path: str) -> bool:
    """Whether a path looks like a test or a part of the test set-up."""
    folders, _, name = path.rpartition("/")
    if {"test", "tests", "__tests__", "spec"} & set(folders.split("/")):
        return True
    return bool(re.search(r"^test_|_test\.|\.test\.|\.spec\.|^conftest\.py$", name))


def called_names(source: str, lines: Iterable[int], radius: int = 12) -> list[str]:
    """Names that are called near these lines of a test, nearest first."""
    rows = source.split("\n")
    found: dict[str, None] = {}
    for line in lines:
        near = sorted(range(max(0, line - 1 - radius), min(len(rows), line + 2)), key=lambda row: abs(row - line + 1))
        for row in near:
            found.update(dict.fromkeys(re.findall(r"([A-Za-z_$][\w$]*)\s*\(", rows[row])))
    return list(found)
