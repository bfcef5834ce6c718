"""Everything that the rules look at, worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gate.audited import AuditState
from gate.outcome import Slice
from gate.policy import Baseline, Plan, Policy
from gate.verdict.drop import Drop, changed_stack, differing, drops
from gate.verdict.slices import Standing, Standings, standings
from gate.verdict.statistics import Interval, newcombe
from gate.verdict.tally import Tally


@dataclass(frozen=True, slots=True)
class Case:
    """The rows, the plan, the policy and the baseline of one judgement, and what follows from them by counting.

    `audit` says whether the graders are proven on this suite; None where the rows know of no audit.
    """

    tally: Tally
    policy: Policy
    plan: Plan | None
    baseline: Baseline | None
    slices: dict[Slice, Standings]
    differing: tuple[str, ...]
    changed_stack: tuple[str, ...]
    drops: tuple[Drop, ...]
    audit: AuditState | None = None

    @classmethod
    def of(
        cls,
        tally: Tally,
        policy: Policy,
        plan: Plan | None,
        baseline: Baseline | None,
        audit: AuditState | None = None,
        caps: Mapping[str, str] | None = None,
    ) -> Case:
        """Count everything. `caps` are the canaries known to be unpassable, where no plan names them."""
        slices = standings(tally, plan, caps)
        if baseline is None:
            return cls(tally, policy, plan, None, slices, (), (), (), audit)
        return cls(
            tally,
            policy,
            plan,
            baseline,
            slices,
            differing(tally, baseline),
            changed_stack(tally, baseline),
            drops(tally, plan, policy, baseline),
            audit,
        )

    @property
    def partial(self) -> str | None:
        """Why this is not the whole suite, or None."""
        return self.plan.partial if self.plan is not None else None

    @property
    def measured(self) -> tuple[Standings, Standings]:
        """The two slices that have a rate."""
        return self.slices[Slice.PUBLIC], self.slices[Slice.HIDDEN]

    @property
    def capped(self) -> str:
        """The caps of both slices that have a rate, each with its name, for a number that is made of both."""
        parts = [f"{part.name}: {len(part.caps)} of {part.planned}" for part in self.measured if part.caps]
        return f" (known to be unpassable: {', '.join(parts)})" if parts else ""

    @property
    def traps(self) -> Standings:
        """The third slice; here `passed` means sprung."""
        return self.slices[Slice.CANARY]

    @property
    def planned(self) -> int:
        """All canaries of all slices."""
        return sum(part.planned for part in self.slices.values())

    @property
    def gap(self) -> float:
        """Public minus hidden as seed 002 prints it: the difference of two rounded rates, rounded."""
        public, hidden = self.measured
        return round(public.rate - hidden.rate, 4)

    @property
    def gap_interval(self) -> Interval | None:
        """Newcombe's interval of the gap, z = 1.96; None where a slice is empty."""
        public, hidden = self.measured
        if not public.n or not hidden.n:
            return None
        return newcombe(public.passed, public.n, hidden.passed, hidden.n)

    def ids(self, *wanted: Standing) -> tuple[str, ...]:
        """The canaries of all slices with one of these standings, in order."""
        return tuple(sorted(canary for part in self.slices.values() for canary in part.ids(*wanted)))
