"""What all rows of a run say of each canary, held in memory that grows with the canaries and not with the rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from gate.errors import HarnessBroken
from gate.outcome import UNSCORED, Outcome, Slice, Status

_MOST_SURFACES = 64


class Surface(NamedTuple):
    """Everything in a row that must be one value in all rows. None where the row does not say."""

    tool_surface: str | None = None
    prompt_sha256: str | None = None
    card_sha256: str | None = None
    suite_sha256: str | None = None
    grader_sha256: str | None = None
    harness_sha256: str | None = None
    agent_sha256: str | None = None
    dataset_commit: str | None = None


class Row(NamedTuple):
    """The part of a row that a verdict reads. `status` and `seed` are None in rows that do not have them."""

    id: str
    slice: Slice
    passed: bool
    surface: Surface
    seed: int | None = None
    status: Status | None = None
    canary_sha256: str | None = None

    @classmethod
    def of(cls, outcome: Outcome) -> Row:
        """The row that an outcome is written as."""
        digests = outcome.digests
        surface = Surface(
            tool_surface=outcome.tool_surface,
            prompt_sha256=digests.prompt,
            card_sha256=digests.card,
            suite_sha256=digests.suite,
            grader_sha256=digests.grader,
            harness_sha256=digests.harness,
            agent_sha256=digests.agent,
            dataset_commit=outcome.dataset_commit,
        )
        return cls(
            id=outcome.id,
            slice=outcome.slice,
            passed=outcome.passed,
            surface=surface,
            seed=outcome.seed,
            status=outcome.status,
            canary_sha256=outcome.canary_sha256,
        )


@dataclass(slots=True)
class Votes:
    """How many seeds of one canary passed, failed, and measured nothing."""

    passed: int = 0
    failed: int = 0
    unscored: int = 0

    @property
    def rows(self) -> int:
        """All of them."""
        return self.passed + self.failed + self.unscored

    def __add__(self, other: Votes) -> Votes:
        return Votes(self.passed + other.passed, self.failed + other.failed, self.unscored + other.unscored)


@dataclass(slots=True)
class Record:
    """All rows of one canary. `planned` are the votes that count in every rate, `confirming` those of the reruns."""

    slice: Slice
    canary_sha256: str | None
    planned: Votes = field(default_factory=Votes)
    confirming: Votes = field(default_factory=Votes)
    leaked: int = 0
    seedless: bool = False
    next_seed: int = 0
    other_seeds: set[int] | None = None

    @property
    def votes(self) -> Votes:
        """Planned and confirming together."""
        return self.planned + self.confirming

    def has_seed(self, seed: int) -> bool:
        """Whether a row of this seed was counted."""
        return seed < self.next_seed or (self.other_seeds is not None and seed in self.other_seeds)

    def mark_seed(self, seed: int) -> None:
        """Remember a seed: as the end of the unbroken run 0, 1, 2, ... where possible, so that seeds cost no memory."""
        if seed != self.next_seed:
            self.other_seeds = self.other_seeds or set()
            self.other_seeds.add(seed)
            return
        self.next_seed += 1
        while self.other_seeds and self.next_seed in self.other_seeds:
            self.other_seeds.remove(self.next_seed)
            self.next_seed += 1


class Tally:
    """The count of all rows. `seeds` is the planned number of seeds; rows of higher seeds are confirming reruns.

    Without `seeds` every row of a canary is a planned one.
    """

    def __init__(self, seeds: int | None = None) -> None:
        self.seeds = seeds
        self.rows = 0
        self.records: dict[str, Record] = {}
        self.surfaces: set[Surface] = set()
        self.mixed_canaries: set[str] = set()

    @classmethod
    def of(cls, outcomes: Iterable[Outcome], seeds: int | None = None) -> Tally:
        """The tally of the harness's own outcomes. Raises HarnessBroken for a trial that was recorded twice."""
        tally = cls(seeds)
        for outcome in outcomes:
            reason = tally.add(Row.of(outcome))
            if reason is not None:
                raise HarnessBroken(f"the journal contradicts itself at {outcome.id}, seed {outcome.seed}: {reason}")
        return tally

    def add(self, row: Row) -> str | None:
        """Count one row, or say why it cannot be counted; then nothing has changed."""
        record = self.records.get(row.id)
        if record is None:
            record = self.records[row.id] = Record(row.slice, row.canary_sha256)
        else:
            reason = _contradiction(record, row)
            if reason is not None:
                return reason
            if row.canary_sha256 != record.canary_sha256:
                self.mixed_canaries.add(row.id)
        self._count(record, row)
        return None

    def _count(self, record: Record, row: Row) -> None:
        if row.seed is None:
            record.seedless = True
        else:
            record.mark_seed(row.seed)
        confirming = self.seeds is not None and row.seed is not None and row.seed >= self.seeds
        votes = record.confirming if confirming else record.planned
        if row.status in UNSCORED:
            votes.unscored += 1
        elif row.passed:
            votes.passed += 1
        else:
            votes.failed += 1
        if row.status is Status.LEAKED:
            record.leaked += 1
        if row.surface not in self.surfaces and len(self.surfaces) < _MOST_SURFACES:
            self.surfaces.add(row.surface)
        self.rows += 1

    def values(self, name: str) -> frozenset[str | None]:
        """The different values of one field of `Surface` in all rows; empty without rows."""
        return frozenset(getattr(surface, name) for surface in self.surfaces)


def _contradiction(record: Record, row: Row) -> str | None:
    if record.slice is not row.slice:
        return f"{row.id!r} was in slice {record.slice} before and is in {row.slice} here; a canary has one slice"
    if row.seed is None or record.seedless:
        return f"{row.id!r} has a second row, and without a `seed` in both a retry cannot be told from another seed"
    if record.has_seed(row.seed):
        return f"{row.id!r} has seed {row.seed} twice; a trial counts once"
    return None
