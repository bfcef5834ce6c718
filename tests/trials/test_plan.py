"""Which trial is run next, and when a canary needs no more."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.outcome import CostState, Outcome, Slice, Status
from gate.policy import Planned
from gate.trials.plan import next_seed, out_of_money
from tests.trials.test_journal import outcome

CANARY = Planned("a-1", Slice.PUBLIC, "bugfix", "f" * 64)
TRAP = dataclasses.replace(CANARY, slice=Slice.CANARY)
RESULTS = st.sampled_from([Status.PASSED, Status.FAILED, Status.ERROR])


def play(planned: Planned, results: list[Status]) -> list[Outcome]:
    """Run seeds in the order that the plan asks for, each with the result that is due."""
    rows: list[Outcome] = []
    while (seed := next_seed(planned, rows, len(results))) is not None:
        rows.append(outcome("a-1", seed, results[seed]))
    return rows


def verdict(rows: list[Outcome], seeds: int) -> str:
    """The rule of the design: more than half passed, at least half failed, else unscored."""
    passed = sum(row.passed for row in rows)
    failed = sum(row.scored and not row.passed for row in rows)
    return "passed" if 2 * passed > seeds else "failed" if 2 * failed >= seeds else "unscored"


@given(st.lists(RESULTS, min_size=1, max_size=9))
def test_stopping_early_never_changes_the_verdict(results: list[Status]) -> None:
    """The verdict of the seeds that were run is the verdict that all seeds would have given."""
    everything = [outcome("a-1", seed, result) for seed, result in enumerate(results)]
    assert verdict(play(CANARY, results), len(results)) == verdict(everything, len(results))


@given(st.lists(RESULTS, min_size=1, max_size=9))
def test_traps_are_never_stopped_early(results: list[Status]) -> None:
    """Any passing seed of a trap blocks, so every seed is run."""
    assert [row.seed for row in play(TRAP, results)] == list(range(len(results)))


@pytest.mark.parametrize(
    ("results", "run"),
    [
        ("p", 1),
        ("pp?", 2),
        ("ff?", 2),
        ("pfp", 3),
        ("ppp??", 3),
        ("ff??", 2),
        ("pppp", 3),
        ("eee", 3),
        ("epp", 3),
    ],
)
def test_money_is_not_spent_on_what_is_decided(results: str, run: int) -> None:
    """A majority stops the rest, and an unscored seed counts for neither side (`?` is a seed that is not needed)."""
    by_letter = {"p": Status.PASSED, "f": Status.FAILED, "e": Status.ERROR, "?": Status.PASSED}
    assert len(play(CANARY, [by_letter[letter] for letter in results])) == run


@given(st.lists(RESULTS, min_size=1, max_size=7), st.data())
def test_a_run_goes_on_where_it_was_cut(results: list[Status], data: st.DataObject) -> None:
    """Whatever prefix of its rows survived, a resumed canary ends with the same rows."""
    whole = play(CANARY, results)
    rows = whole[: data.draw(st.integers(0, len(whole)))]
    while (seed := next_seed(CANARY, rows, len(results))) is not None:
        rows.append(outcome("a-1", seed, results[seed]))
    assert rows == whole


@pytest.mark.parametrize(
    ("costs", "budget", "stops"),
    [
        ([], 1.0, False),
        ([0.0, 0.0], 0.0, False),
        ([0.5], None, False),
        ([0.5, 0.25], 1.0, False),
        ([0.5, 0.5], 1.0, True),
        ([2.0], 1.0, True),
    ],
)
def test_a_spent_budget_stops_the_run(costs: list[float], budget: float | None, stops: bool) -> None:
    """No trial starts once what was spent has reached the budget."""
    rows = [dataclasses.replace(outcome(seed=seed), cost_usd=cost) for seed, cost in enumerate(costs)]
    assert (out_of_money(rows, budget) is not None) is stops


@pytest.mark.parametrize("state", [CostState.UNPRICED, CostState.UNDERSTATED])
def test_a_budget_is_not_kept_on_a_guess(state: CostState) -> None:
    """A row whose price is not known stops a run that has a budget, and no other."""
    rows = [dataclasses.replace(outcome(), cost_state=state)]
    assert "unknown price" in (out_of_money(rows, 5.0) or "")
    assert out_of_money(rows, None) is None
