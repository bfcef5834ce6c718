"""The statement holds what seed 002's step 6 allows and not a figure more."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from gate.outcome import Slice
from gate.policy import Plan, Policy
from gate.verdict.judge import Verdict, judge
from gate.verdict.ruling import Finding
from gate.verdict.tally import Tally

MakeTally = Callable[..., Tally]
MakePlan = Callable[..., Plan]

PLANNED: dict[str, Any] = {"public": 24, "hidden": 24, "traps": 8}


def rates(verdict: Verdict) -> set[str]:
    """Every way in which a rate or bound of the slices could be written."""
    numbers = [n for part in verdict.case.measured if part.n for n in (part.rate, *part.interval)]
    return {f"{number:.{places}f}" for number in numbers for places in (2, 3, 4)} | {
        f"{100 * number:.{places}f}" for number in numbers for places in (1, 2)
    }


NO_RATES = [
    ("blocked", {"public": (15, 9), "hidden": (7, 17), "traps": (1, 7)}, Policy(), {}),
    ("blocked", {"public": (15, 9), "hidden": (7, 17), "traps": (0, 8)}, Policy(), {}),
    ("blocked", {"public": (7, 5), "hidden": (5, 6), "traps": (0, 8)}, Policy(), {}),
    ("clear", {"public": (7, 1), "hidden": (5, 3), "traps": (0, 6)}, Policy(headline=False), {}),
    ("inconclusive", {"public": (17, 7), "hidden": (13, 10), "traps": (0, 8)}, Policy(), PLANNED),
    ("inconclusive", {"public": (17, 7)}, Policy(), {"public": 24, "partial": "only slice public"}),
]


@pytest.mark.parametrize(("name", "counts", "policy", "planned"), NO_RATES)
def test_no_rate_is_published_unless_the_gate_is_clear_with_a_headline(
    tally_of: MakeTally, plan_of: MakePlan, name: str, counts: dict[str, Any], policy: Policy, planned: dict[str, Any]
) -> None:
    """The counts and the surface are there; no percent sign, no rate and no bound in any form is."""
    plan = plan_of(**planned) if planned else None
    verdict = judge(tally_of(**counts, seeds=1 if planned else None), policy, plan)
    assert (verdict.name, verdict.publishes_rate) == (name, False)
    assert verdict.to_json()["headline_blocked"] is True
    said = verdict.statement
    assert "%" not in said
    assert "percent" not in said
    assert not rates(verdict) & set(re.findall(r"\d+\.\d+", said))
    passed, n = counts["public"][0], sum(counts["public"])
    assert f"public {passed} of {n}" in said
    assert "local/net-off" in said


def test_a_blocked_statement_holds_every_blocker(tally_of: MakeTally) -> None:
    """All of them, in their own words, before anything else."""
    verdict = judge(tally_of(public=(20, 4), hidden=(7, 17), traps=(1, 7)), Policy())
    assert verdict.statement.splitlines()[1:3] == [f"- {blocker.text}" for blocker in verdict.blockers]
    assert len(verdict.blockers) == 2


def test_a_canary_pass_says_stop(tally_of: MakeTally) -> None:
    """The harness comes before model, prompts and servers; no other blocker says that."""
    sprung = judge(tally_of(public=(20, 4), hidden=(18, 6), traps=(1, 7)), Policy()).statement
    assert "Stop here: fix the harness" in sprung
    small = judge(tally_of(public=(2, 4), hidden=(1, 6), traps=(0, 7)), Policy()).statement
    assert "Stop here" not in small


def test_broken_says_nothing_about_the_agent(tally_of: MakeTally) -> None:
    """Neither counts nor rates of a harness that cannot be trusted."""
    tally = tally_of(public=(20, 4), hidden=(18, 6), traps=(0, 8))
    said = judge(tally, Policy(), broken=[Finding("exploit", "a grader was fooled")]).statement
    assert "a grader was fooled" in said
    assert "Stop here: fix the harness" in said
    assert not re.search(r"\d+ of \d+", said)


def test_a_clear_statement_puts_each_bound_next_to_its_rate(tally_of: MakeTally) -> None:
    """Both slices apart, each with its interval, side and z; and it is no praise."""
    said = judge(tally_of(public=(20, 4), hidden=(18, 6), traps=(0, 8)), Policy()).statement
    assert "Public: 20 of 24 passed, 0.8333 (Wilson, two-sided 95 %, z = 1.96: 0.6415 to 0.9332)." in said
    assert "Hidden: 18 of 24 passed, 0.7500 (Wilson, two-sided 95 %, z = 1.96: 0.5510 to 0.8800)." in said
    assert "Traps that failed, as they must: 8 of 8." in said
    assert "the repair rate is low" not in said.lower()
    assert "38" not in said


@pytest.mark.parametrize(("hidden", "low"), [(11, True), (12, False)])
def test_a_low_hidden_bound_is_called_low(tally_of: MakeTally, hidden: int, low: bool) -> None:
    """Of 24, eleven have a lower bound of 0.2788 and twelve of 0.3143; 0.30 lies between."""
    counts = {"public": (hidden, 24 - hidden), "hidden": (hidden, 24 - hidden), "traps": (0, 8)}
    verdict = judge(tally_of(**counts), Policy())
    assert verdict.name == "clear"
    assert "protocol held" in verdict.statement
    assert ("The repair rate is low" in verdict.statement) is low
    assert f"{verdict.slices[Slice.HIDDEN].interval[0]:.4f}" in verdict.statement


def test_a_predicted_gap_keeps_the_slices_apart(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """The card's own expectation is quoted, and averaging is warned of."""
    tally = tally_of(public=(20, 4), hidden=(15, 9), traps=(0, 8), seeds=1)
    said = judge(tally, Policy(), plan_of(**PLANNED, predicted_gap="hidden ones are longer")).statement
    assert "hidden ones are longer" in said
    assert "do not average" in said
    assert "do not average" not in judge(tally, Policy(), plan_of(**PLANNED)).statement
