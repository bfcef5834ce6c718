"""How each canary did, and the counts of a slice: n is the number of canaries, never of seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from gate.outcome import Slice
from gate.policy import Plan
from gate.verdict.statistics import Interval, majority, wilson
from gate.verdict.tally import Record, Tally


class Standing(StrEnum):
    """What is known of one canary. `UNSCORED` was run and measured too little; `MISSING` has rows yet to come."""

    PASSED = "passed"
    FAILED = "failed"
    UNSCORED = "unscored"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Standings:
    """The standing of every canary of one slice, in the order of their ids.

    `n` counts the canaries that were measured: passed and failed.
    """

    name: Slice
    of: Mapping[str, Standing]
    passed: int
    n: int
    unstable: tuple[str, ...]
    repeated: int
    caps: Mapping[str, str]

    def ids(self, *standings: Standing) -> tuple[str, ...]:
        """The canaries with one of these standings."""
        return tuple(name for name, standing in self.of.items() if standing in standings)

    @property
    def planned(self) -> int:
        """All canaries: the denominator that was fixed before the run."""
        return len(self.of)

    @property
    def open(self) -> int:
        """The canaries that could still turn out either way."""
        return self.planned - self.n

    @property
    def most(self) -> int:
        """How many canaries can pass at all: those that are not known to be unpassable."""
        return self.planned - len(self.caps)

    @property
    def capped(self) -> str:
        """What travels with every number of a slice that holds canaries known to be unpassable; else nothing."""
        return f" ({len(self.caps)} of {self.planned} are known to be unpassable)" if self.caps else ""

    @property
    def rate(self) -> float:
        """Passed of measured, rounded to four places as seed 002 prints it; 0 where nothing was measured."""
        return round(self.passed / self.n, 4) if self.n else 0.0

    @property
    def lowest(self) -> Fraction:
        """The rate if every open canary failed. 0 for an empty slice."""
        return Fraction(self.passed, self.planned) if self.planned else Fraction(0)

    @property
    def highest(self) -> Fraction:
        """The rate if every open canary passed. 0 for an empty slice."""
        return Fraction(self.passed + self.open, self.planned) if self.planned else Fraction(0)

    @property
    def interval(self) -> Interval:
        """Wilson's interval of the measured canaries, z = 1.96."""
        return wilson(self.passed, self.n)


def standings(tally: Tally, plan: Plan | None, caps: Mapping[str, str] | None = None) -> dict[Slice, Standings]:
    """Every canary of the plan (or, without one, of the rows) by slice.

    `caps` maps a canary to the reason of its `known_unpassable`, where there is no plan that says so. Raises ValueError
    where the tally was counted for another number of seeds than the plan's.
    """
    if plan is not None and tally.seeds != plan.seeds:
        raise ValueError(f"the plan has {plan.seeds} seeds and the rows were counted for {tally.seeds}")
    if plan is None:
        known = {name: record.slice for name, record in tally.records.items()}
    else:
        known = {planned.id: planned.slice for planned in plan.canaries}
    caps = plan.caps if plan is not None else caps or {}
    return {name: _of_slice(name, sorted(i for i, s in known.items() if s is name), tally, caps) for name in Slice}


def _of_slice(name: Slice, ids: Iterable[str], tally: Tally, caps: Mapping[str, str]) -> Standings:
    records = {canary: tally.records.get(canary) for canary in ids}
    repeated = [canary for canary, record in records.items() if record and _scored(record) > 1]
    of = {canary: standing(record, name, tally.seeds) for canary, record in records.items()}
    counts = Counter(of.values())
    return Standings(
        name=name,
        of=of,
        passed=counts[Standing.PASSED],
        n=counts[Standing.PASSED] + counts[Standing.FAILED],
        unstable=tuple(c for c in repeated if (r := records[c]) and r.votes.passed and r.votes.failed),
        repeated=len(repeated),
        caps={canary: caps[canary] for canary in records if canary in caps},
    )


def _scored(record: Record) -> int:
    return record.votes.passed + record.votes.failed


def standing(record: Record | None, name: Slice, seeds: int | None) -> Standing:
    """How one canary did over its planned seeds (all seeds present where none are planned).

    A public or hidden canary needs a strict majority. A trap is sprung by any passing seed, and has held only when
    every planned seed was measured.
    """
    if record is None or not record.votes.rows:
        return Standing.MISSING
    votes = record.planned
    of = max(seeds, votes.rows) if seeds is not None else votes.rows
    rest = Standing.MISSING if votes.rows < of else Standing.UNSCORED
    if name is Slice.CANARY:
        if record.votes.passed:
            return Standing.PASSED
        return rest if votes.failed < of else Standing.FAILED
    decided = majority(votes.passed, votes.failed, of) if of else None
    if decided is None:
        return rest
    return Standing.PASSED if decided else Standing.FAILED
