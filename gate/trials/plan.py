"""The plan of a run: which canaries, how often, in which order. Fixed before the first trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.errors import ConfigError
from gate.outcome import CostState, Outcome, Slice
from gate.policy import Plan, Planned
from gate.suite.canary import Canary
from gate.suite.load import Suite


@dataclass(frozen=True, slots=True)
class Selection:
    """What the command line narrowed the run to; empty means the whole suite."""

    slices: tuple[str, ...] = ()
    canaries: tuple[str, ...] = ()

    @property
    def reason(self) -> str | None:
        """Why the run is partial, in words, or None."""
        parts = []
        if self.slices:
            parts.append(f"slice {', '.join(self.slices)}")
        if self.canaries:
            parts.append(f"canary {', '.join(self.canaries)}")
        return "only " + " and ".join(parts) if parts else None


def select(suite: Suite, selection: Selection) -> tuple[Canary, ...]:
    """The selected canaries. Raises ConfigError naming every id that does not exist."""
    known = {canary.id for canary in suite.canaries}
    unknown = sorted(set(selection.canaries) - known)
    if unknown:
        raise ConfigError(f"no canary named {', '.join(unknown)} in {suite.root}")
    return tuple(
        canary
        for canary in suite.canaries
        if (not selection.slices or canary.slice in selection.slices)
        and (not selection.canaries or canary.id in selection.canaries)
    )


def make_plan(suite: Suite, selection: Selection, seeds: int, locked: Mapping[str, str]) -> Plan:
    """The plan that every denominator comes from. `locked` maps a canary's id to its digest."""
    chosen = select(suite, selection)
    caps = {canary.id: canary.known_unpassable["reason"] for canary in chosen if canary.known_unpassable}
    planned = tuple(Planned(canary.id, canary.slice, canary.kind, locked[canary.id]) for canary in chosen)
    return Plan(planned, seeds, selection.reason, suite.card.predicted_gap, caps)


def longest_first(canaries: Iterable[Canary]) -> list[Canary]:
    """Canaries by how much they may cost, so that no long one starts last and alone."""
    return sorted(
        canaries,
        key=lambda canary: (-(canary.budget.max_tool_calls or 10**6), -canary.budget.timeout_s, canary.id),
    )


def next_seed(canary: Planned, done: Sequence[Outcome], seeds: int) -> int | None:
    """The next seed to run for a canary, or None when its verdict can no longer change.

    A canary passes with more than half of its planned seeds and fails with at least half failed; once either is
    certain the rest would be money for nothing. Traps are never stopped early: any passing seed blocks.
    """
    finished = {outcome.seed for outcome in done}
    remaining = [seed for seed in range(seeds) if seed not in finished]
    if not remaining:
        return None
    if canary.slice is not Slice.CANARY:
        passed = sum(outcome.passed for outcome in done)
        failed = sum(outcome.scored and not outcome.passed for outcome in done)
        if 2 * passed > seeds or 2 * failed >= seeds:
            return None
    return remaining[0]


def out_of_money(rows: Iterable[Outcome], budget_usd: float | None) -> str | None:
    """Why no further trial may start under a budget of dollars for the run, or None.

    What runs at the same moment is not stopped, so a run may exceed its budget by the trials that were under way.
    """
    if budget_usd is None:
        return None
    spent = 0.0
    for row in rows:
        if row.cost_usd is None or row.cost_state is not CostState.PRICED:
            return f"{row.id} has a cost that is {row.cost_state}, and a budget cannot be kept on an unknown price"
        spent += row.cost_usd
    if spent and spent >= budget_usd:
        return f"the budget of ${budget_usd:g} for the run is spent (${spent:.4f})"
    return None
