"""A threshold that even a perfect run misses is refused before the run, with what would be needed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from gate.errors import ConfigError
from gate.policy import Plan, Policy
from gate.verdict.feasibility import check_policy

MakePlan = Callable[..., Plan]

WITHIN_REACH = [
    ({}, 3, 0),
    ({"min_lower": "0.8"}, 16, 0),
    ({"min_lower": "0.9"}, 35, 0),
    ({"min_lower": "0.95"}, 73, 0),
    ({"fail_under": "1"}, 3, 0),
    ({"fail_under": "0.75"}, 8, 2),
    ({"min_lower": "0.9"}, 0, 0),
]
OUT_OF_REACH = [
    ({"min_lower": "0.8"}, 15, 0, "policy.min_lower: 0.8 is out of reach: 15 of 15 hidden canaries"),
    ({"min_lower": "0.9"}, 34, 0, "35 canaries are the fewest that can"),
    ({"min_lower": "0.95"}, 72, 0, "73 canaries are the fewest that can"),
    ({"min_lower": "0.8"}, 16, 1, "15 of 16 hidden canaries (1 known to be unpassable)"),
    ({"min_lower": "1"}, 500, 0, "no number of canaries can"),
    ({"fail_under": "0.76"}, 8, 2, "policy.fail_under: 0.76 is out of reach: at most 6 of 8 hidden canaries"),
]


def plan_and_policy(make: MakePlan, given: dict[str, str], n: int, capped: int) -> tuple[Policy, Plan]:
    """So many hidden canaries, of which some cannot pass, beside enough public ones."""
    caps = {f"h{number:03}": "why" for number in range(capped)}
    shares: dict[str, Any] = {key: Fraction(text) for key, text in given.items()}
    return Policy(**shares), make(hidden=n, public=400, caps=caps)


@pytest.mark.parametrize(("given", "n", "capped"), WITHIN_REACH)
def test_a_threshold_within_reach_is_accepted(plan_of: MakePlan, given: dict[str, str], n: int, capped: int) -> None:
    """Also where only a perfect run reaches it, and where the slice is empty."""
    check_policy(*plan_and_policy(plan_of, given, n, capped))


@pytest.mark.parametrize(("given", "n", "capped", "reason"), OUT_OF_REACH)
def test_a_threshold_out_of_reach_is_refused(
    plan_of: MakePlan, given: dict[str, str], n: int, capped: int, reason: str
) -> None:
    """The message has the key, the slice, the best possible count and what would do."""
    with pytest.raises(ConfigError) as caught:
        check_policy(*plan_and_policy(plan_of, given, n, capped), "gate.yml")
    assert reason in caught.value.message
    assert caught.value.message.startswith("gate.yml: ")


def test_every_slice_is_checked_and_all_are_named(plan_of: MakePlan) -> None:
    """Two slices and two thresholds are four problems."""
    policy = Policy(min_lower=Fraction(9, 10), fail_under=Fraction(1))
    caps = {"p000": "why", "h000": "why"}
    with pytest.raises(ConfigError) as caught:
        check_policy(policy, plan_of(public=8, hidden=8, caps=caps))
    assert len(caught.value.problems) == 4


def test_a_partial_plan_is_not_checked(plan_of: MakePlan) -> None:
    """One canary alone may be run under any policy; its rate decides nothing."""
    check_policy(Policy(min_lower=Fraction(9, 10)), plan_of("h-x", partial="only canary h-x"))
