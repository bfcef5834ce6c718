"""Rows for verdicts, written as counts and votes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from gate.outcome import Slice, Status
from gate.policy import Plan, Planned
from gate.verdict.tally import Row, Surface, Tally

SURFACE = Surface("local/net-off", "p", "c", "s", "g", "h", "a", "d")
VOTES = {"P": Status.PASSED, "F": Status.FAILED, "E": Status.ERROR, "L": Status.LEAKED}

MakeTally = Callable[..., Tally]
MakePlan = Callable[..., Plan]


@pytest.fixture
def tally_of() -> MakeTally:
    """Builds a tally from votes per canary.

    `votes` maps an id to one letter a seed (Passed, Failed, Error, Leaked, `.` no row); the id's first letter is its
    slice (p, h, c). `counts` gives passed and failed canaries of a slice with one seed each.
    """

    def make(
        votes: Mapping[str, str] | None = None,
        *,
        public: tuple[int, int] = (0, 0),
        hidden: tuple[int, int] = (0, 0),
        traps: tuple[int, int] = (0, 0),
        seeds: int | None = None,
        surface: Surface = SURFACE,
    ) -> Tally:
        tally = Tally(seeds)
        counted = {
            f"{letter}{number:03}": "P" if number < passed else "F"
            for letter, (passed, failed) in (("p", public), ("h", hidden), ("c", traps))
            for number in range(passed + failed)
        }
        slices = {"p": Slice.PUBLIC, "h": Slice.HIDDEN, "c": Slice.CANARY}
        for canary, letters in {**counted, **(votes or {})}.items():
            for seed, letter in enumerate(letters):
                if letter == ".":
                    continue
                status = VOTES[letter]
                passed = status is Status.PASSED
                row = Row(canary, slices[canary[0]], passed, surface, seed, status, f"sha-{canary}")
                assert tally.add(row) is None
        return tally

    return make


@pytest.fixture
def plan_of() -> MakePlan:
    """Builds a plan of so many canaries a slice, or of the given ids, with the ids and digests of `tally_of`."""

    def make(
        *ids: str,
        public: int = 0,
        hidden: int = 0,
        traps: int = 0,
        seeds: int = 1,
        partial: str | None = None,
        predicted_gap: str | None = None,
        caps: Mapping[str, str] | None = None,
    ) -> Plan:
        slices = {"p": Slice.PUBLIC, "h": Slice.HIDDEN, "c": Slice.CANARY}
        counted = [f"{a}{i:03}" for a, n in (("p", public), ("h", hidden), ("c", traps)) for i in range(n)]
        canaries = tuple(Planned(name, slices[name[0]], "bugfix", f"sha-{name}") for name in (*counted, *ids))
        return Plan(canaries, seeds, partial, predicted_gap, caps or {})

    return make
