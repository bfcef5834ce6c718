"""What was lost and gained since the baseline, canary by canary, and which losses need a rerun before they count.

The rule. A canary that passed in the baseline and failed over its planned seeds (N) is *newly failing*. It is *lost*
when at least half of all N + C seeds failed, planned and confirming together, where C is the policy's `confirm_seeds`;
it has *recovered* when more than half passed. Until one of the two is certain it is unconfirmed. Confirming seeds enter
nothing else: rates, bounds and gap keep to the planned seeds, or a rerun of failures alone would lift them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from gate.outcome import Slice
from gate.policy import Baseline, BaselineEntry, Plan, Policy
from gate.verdict.slices import Standing, Standings, standings
from gate.verdict.statistics import majority
from gate.verdict.tally import Record, Tally

MEASURED_SLICES = (Slice.PUBLIC, Slice.HIDDEN)
_FIELDS = {
    "suite": "suite_sha256",
    "card": "card_sha256",
    "grader": "grader_sha256",
    "harness": "harness_sha256",
    "prompt": "prompt_sha256",
    "agent": "agent_sha256",
}


@dataclass(slots=True)
class Drop:
    """One slice against the baseline; ids in order. `n` counts the canaries that both have with the same digest."""

    name: Slice
    n: int = 0
    lost: list[str] = field(default_factory=list)
    gained: list[str] = field(default_factory=list)
    recovered: list[str] = field(default_factory=list)
    unconfirmed: list[str] = field(default_factory=list)
    unknown_was_passed: list[str] = field(default_factory=list)
    unknown_was_failed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    def _share(self, canaries: int) -> Fraction:
        return Fraction(canaries, self.n) if self.n else Fraction(0)

    @property
    def lowest(self) -> Fraction:
        """The drop in the best case for every canary that is not decided. Negative for a gain."""
        return self._share(len(self.lost) - len(self.gained) - len(self.unknown_was_failed))

    @property
    def highest(self) -> Fraction:
        """The drop in the worst case."""
        undecided = len(self.unconfirmed) + len(self.unknown_was_passed)
        return self._share(len(self.lost) + undecided - len(self.gained))


def differing(tally: Tally, baseline: Baseline) -> tuple[str, ...]:
    """The measuring digests (suite, card, grader, harness) that are not the baseline's; a comparison needs none."""
    return tuple(name for name, value in baseline.measuring.items() if tally.values(_FIELDS[name]) != {value})


def changed_stack(tally: Tally, baseline: Baseline) -> tuple[str, ...]:
    """The measured digests (prompt, agent) that are not the baseline's: what a pull request may change."""
    return tuple(name for name, value in baseline.measured.items() if tally.values(_FIELDS[name]) != {value})


def drops(tally: Tally, plan: Plan | None, policy: Policy, baseline: Baseline) -> tuple[Drop, ...]:
    """The public and the hidden slice against the baseline, never pooled."""
    by_slice = standings(tally, plan)
    return tuple(_drop(by_slice[name], tally, plan, policy, baseline) for name in MEASURED_SLICES)


def newly_failing(tally: Tally, plan: Plan, policy: Policy, baseline: Baseline) -> tuple[str, ...]:
    """The canaries to rerun with every seed below N + C that they do not have yet, before the run is judged.

    Empty where the comparison is not possible, and for a slice that keeps its limit even if all of them are lost.
    """
    if differing(tally, baseline):
        return ()
    parts = [part for part in drops(tally, plan, policy, baseline) if part.highest > policy.score_drop]
    return tuple(sorted(canary for part in parts for canary in part.unconfirmed))


def _drop(part: Standings, tally: Tally, plan: Plan | None, policy: Policy, baseline: Baseline) -> Drop:
    digests = {planned.id: planned.canary_sha256 for planned in plan.canaries} if plan is not None else {}
    drop = Drop(part.name)
    for canary, standing in part.of.items():
        before = baseline.canaries.get(canary)
        record = tally.records.get(canary)
        digest = digests.get(canary, record.canary_sha256 if record else None)
        if before is None or before.slice is not part.name or before.canary_sha256 != digest:
            drop.changed.append(canary)
            continue
        drop.n += 1
        _list_for(drop, before, standing, record, policy.confirm_seeds, tally.seeds).append(canary)
    return drop


def _list_for(
    drop: Drop, before: BaselineEntry, standing: Standing, record: Record | None, confirm: int, seeds: int | None
) -> list[str]:
    """The list of `drop` that a canary belongs to; one that did not change goes to a list nobody keeps."""
    if standing in (Standing.UNSCORED, Standing.MISSING) or record is None:
        return drop.unknown_was_passed if before.passed else drop.unknown_was_failed
    if standing is Standing.PASSED:
        return [] if before.passed else drop.gained
    if not before.passed:
        return []
    votes = record.votes
    # Rows without a plan do not say which seeds were planned: then there must be at least one and its confirmation.
    of = max(votes.rows, 1 + confirm if seeds is None else seeds + confirm)
    decided = majority(votes.passed, votes.failed, of)
    if decided is None:
        return drop.unconfirmed
    return drop.recovered if decided else drop.lost


def names(canaries: Iterable[str], most: int = 8) -> str:
    """A list of canaries for a sentence, cut where it would fill a screen."""
    ids = list(canaries)
    shown = ", ".join(ids[:most])
    return f"{shown} and {len(ids) - most} more" if len(ids) > most else shown
