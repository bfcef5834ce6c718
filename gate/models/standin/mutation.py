"""A small change of syntax, and how likely it is to be the one that is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Edit = tuple[int, int, bytes]
"""Start and end in the bytes of a file, and the new bytes."""

# How early a kind is tried when nothing else is known: the defects that people make most come first.
COSTS: Mapping[str, float] = {
    "default": 1.0,
    "boundary": 1.0,
    "offset": 1.5,
    "index": 1.5,
    "arithmetic": 2.0,
    "logic": 2.0,
    "compare": 2.5,
    "negate": 2.5,
    "boolean": 2.5,
    "swap": 2.5,
    "order": 2.5,
    "copy": 2.5,
    "none": 2.5,
    "method": 2.5,
    "round": 2.5,
    "return": 3.0,
    "name": 3.5,
    "dedent": 3.0,
    "drop": 4.5,
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one file. `line` is where it starts, `function` the innermost function around it."""

    path: str
    kind: str
    line: int
    function: str
    edits: tuple[Edit, ...]
    extra: float = 0.0

    def applied(self, data: bytes) -> bytes:
        """The file after the change."""
        for start, end, new in sorted(self.edits, reverse=True):
            data = data[:start] + new + data[end:]
        return data


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What speaks for a place: lines that failures name, functions that failing tests call or the task names."""

    kinds: frozenset[str]
    lines: Mapping[str, tuple[int, ...]]
    functions: Mapping[str, int]
    paths: Mapping[str, int]

    def cost(self, mutation: Mutation) -> float:
        """The smaller, the earlier it is tried."""
        cost = COSTS[mutation.kind] + mutation.extra
        if mutation.kind in self.kinds:
            cost -= 1.5
        near = min((abs(line - mutation.line) for line in self.lines.get(mutation.path, ())), default=99)
        cost += 0.0 if near <= 1 else 0.5 if near <= 6 else 1.5
        cost += min(self.functions.get(mutation.function, 6), 6) * 0.5
        return cost + min(self.paths.get(mutation.path, 4), 4) * 0.5


def ranked(mutations: Iterable[Mutation], suspicion: Suspicion) -> list[Mutation]:
    """Most likely first; those of one file stay together where they are as likely as each other."""
    return sorted(
        mutations,
        key=lambda mutation: (
            round(suspicion.cost(mutation) * 2),
            mutation.path,
            suspicion.cost(mutation),
            mutation.line,
            mutation.edits,
        ),
    )
