"""A threshold out of reach even for a perfect run is a mistake in the configuration, found before the run."""

from __future__ import annotations

from collections.abc import Iterator

from gate.errors import ConfigError, Problem
from gate.outcome import Slice
from gate.policy import Plan, Policy
from gate.verdict.ruling import decimal
from gate.verdict.statistics import smallest_n, wilson, wilson_reaches


def check_policy(policy: Policy, plan: Plan, source: str = "policy") -> None:
    """Raise ConfigError naming every threshold out of reach; `source` is the file that holds them.

    A partial plan is not checked: its rates decide nothing.
    """
    if plan.partial is not None:
        return
    problems = [
        Problem(source, 0, key, reason)
        for name in (Slice.PUBLIC, Slice.HIDDEN)
        for key, reason in _out_of_reach(policy, plan, name)
    ]
    if problems:
        raise ConfigError(problems)


def _out_of_reach(policy: Policy, plan: Plan, name: Slice) -> Iterator[tuple[str, str]]:
    canaries = plan.of_slice(name)
    n = len(canaries)
    if not n:
        return
    best = sum(planned.id not in plan.caps for planned in canaries)
    capped = f" ({n - best} known to be unpassable)" if best < n else ""
    if policy.fail_under is not None and best < policy.fail_under * n:
        yield (
            "policy.fail_under",
            f"{decimal(policy.fail_under)} is out of reach: at most {best} of {n} {name} canaries can pass{capped}",
        )
    if policy.min_lower is not None and not wilson_reaches(best, n, policy.min_lower):
        bound = wilson(best, n)[0]
        needed = smallest_n(policy.min_lower)
        remedy = f"{needed} canaries are the fewest that can" if needed is not None else "no number of canaries can"
        found = f"{best} of {n} {name} canaries{capped} have a Wilson lower bound of {bound:.4f} (z = 1.96)"
        yield "policy.min_lower", f"{decimal(policy.min_lower)} is out of reach: {found}; {remedy}"
