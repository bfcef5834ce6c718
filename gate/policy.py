"""The records that a verdict is made from, besides the rows: the policy, the plan and the baseline.

Thresholds are fractions, never floats: 20/20 - 19/20 is more than 0.05 in binary and exactly 0.05 in truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from gate.outcome import Slice


@dataclass(frozen=True, slots=True)
class Policy:
    """The thresholds of `gate.yml`. Rates are shares of canaries between 0 and 1."""

    fail_under: Fraction | None = None
    min_lower: Fraction | None = None
    score_drop: Fraction = Fraction(1, 20)
    gap_limit: Fraction = Fraction(1, 4)
    min_slice: int = 20
    headline: bool = True
    max_unscored: Fraction = Fraction(0)
    confirm_seeds: int = 2
    low_rate: Fraction = Fraction(3, 10)
    min_kill_rate: Fraction | None = Fraction(3, 4)


@dataclass(frozen=True, slots=True)
class Planned:
    """One canary of the plan, with what its baseline entry is keyed by."""

    id: str
    slice: Slice
    kind: str
    canary_sha256: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What was to be run, fixed before the first trial: every denominator comes from here.

    `partial` names why this is not the whole suite (a filter, a shard); a partial run has no headline.
    `predicted_gap` is the card's own note that a gap is expected (seed 002, step 6.3).
    `caps` maps a canary to the reason of its `known_unpassable`.
    """

    canaries: tuple[Planned, ...]
    seeds: int
    partial: str | None = None
    predicted_gap: str | None = None
    caps: Mapping[str, str] = field(default_factory=dict)

    def of_slice(self, name: Slice) -> tuple[Planned, ...]:
        """The planned canaries of one slice."""
        return tuple(planned for planned in self.canaries if planned.slice is name)


@dataclass(frozen=True, slots=True)
class BaselineEntry:
    """How one canary did when the baseline was written."""

    slice: Slice
    passed: bool
    canary_sha256: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """One section of the baseline file: the verdicts per canary under one harness surface."""

    measuring: Mapping[str, str]
    measured: Mapping[str, str]
    seeds: int
    canaries: Mapping[str, BaselineEntry]
