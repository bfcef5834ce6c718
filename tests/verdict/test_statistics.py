"""The formulas agree with scipy and statsmodels, and decide thresholds without rounding."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.verdict import statistics as stats

ORACLES: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("oracles.json").read_text())
COUNTS = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def close(value: float | Fraction, oracle: float) -> bool:
    """The tolerance of every comparison with an oracle."""
    return math.isclose(float(value), oracle, rel_tol=0, abs_tol=1e-9)


@pytest.mark.parametrize("row", ORACLES["wilson"], ids=lambda row: f"{row['k']}of{row['n']}@{row['conf']}")
def test_wilson_agrees_at_every_confidence(row: dict[str, Any]) -> None:
    """Both ends, and the one-sided lower bound, are those of scipy and statsmodels."""
    z = stats.z_value(row["conf"])
    assert close(z, row["z"])
    lower, upper = stats.wilson(row["k"], row["n"], z)
    assert close(lower, row["wilson"][0])
    assert close(upper, row["wilson"][1])
    one_sided, _ = stats.wilson(row["k"], row["n"], stats.z_value(row["conf"], "one"))
    assert close(one_sided, row["one_sided_lower"])


@pytest.mark.parametrize("row", ORACLES["wilson_z_literal"], ids=lambda row: f"{row['k']}of{row['n']}z{row['z']}")
def test_wilson_agrees_for_a_stated_z(row: dict[str, Any]) -> None:
    """A z that is given as a number, as seed 002 does, gives the same bounds."""
    lower, upper = stats.wilson(row["k"], row["n"], row["z"])
    assert close(lower, row["lower"])
    assert close(upper, row["upper"])


def test_wilson_of_nothing_says_nothing() -> None:
    """No canaries leave the whole range open, and the ends of a perfect and an empty score are exact."""
    assert stats.wilson(0, 0) == (0.0, 1.0)
    assert stats.wilson(0, 24)[0] == 0.0
    assert stats.wilson(24, 24)[1] == 1.0


@given(COUNTS, st.floats(0.1, 4))
@settings(max_examples=150, deadline=None)
def test_wilson_surrounds_the_rate(counts: tuple[int, int], z: float) -> None:
    """0 <= lower <= rate <= upper <= 1, and swapping passes with failures mirrors the interval."""
    passed, n = counts
    lower, upper = stats.wilson(passed, n, z)
    assert 0 <= lower <= passed / n + 1e-12
    assert passed / n - 1e-12 <= upper <= 1
    mirrored = stats.wilson(n - passed, n, z)
    assert close(1 - mirrored[1], lower)


@given(COUNTS, st.integers(1, 99))
@settings(max_examples=200, deadline=None)
def test_reaching_a_threshold_is_the_bound_compared(counts: tuple[int, int], percent: int) -> None:
    """The exact decision is the comparison of the bound, except where floats cannot tell."""
    passed, n = counts
    lower, _ = stats.wilson(passed, n)
    if abs(lower - percent / 100) > 1e-9:
        assert stats.wilson_reaches(passed, n, Fraction(percent, 100)) is (lower > percent / 100)


def test_reaching_a_threshold_exactly_counts() -> None:
    """A bound that equals the threshold reaches it: n/n at z = 2 is n/(n + 4), which is 0.75 for 12."""
    assert stats.wilson_reaches(12, 12, Fraction(3, 4), z=2)
    assert not stats.wilson_reaches(12, 12, Fraction(3, 4) + Fraction(1, 10**12), z=2)
    assert stats.wilson_reaches(0, 0, Fraction(0))
    assert not stats.wilson_reaches(0, 0, Fraction(1, 1000))
    assert not stats.wilson_reaches(500, 500, Fraction(1))


@pytest.mark.parametrize("row", ORACLES["smallest_n"], ids=lambda row: f"{row['threshold']}z{row['z']:.2f}")
def test_smallest_n_agrees(row: dict[str, Any]) -> None:
    """The fewest canaries that can reach a lower bound at all."""
    assert stats.smallest_n(Fraction(str(row["threshold"])), row["z"]) == row["n"]


def test_no_n_reaches_certainty() -> None:
    """A lower bound of 1 is out of reach of every n, and 0 needs no canary."""
    assert stats.smallest_n(Fraction(1)) is None
    assert stats.smallest_n(Fraction(0)) == 0


@pytest.mark.parametrize("row", ORACLES["smallest_passes"], ids=lambda row: f"{row['n']}@{row['threshold']}")
def test_smallest_passes_agrees(row: dict[str, Any]) -> None:
    """The fewest passes of n that reach a lower bound, and None where n of n does not."""
    assert stats.smallest_passes(row["n"], Fraction(str(row["threshold"])), row["z"]) == row["min_k"]


@pytest.mark.parametrize(
    "row", ORACLES["newcombe"], ids=lambda row: f"{row['k1']}of{row['n1']}v{row['k2']}of{row['n2']}"
)
def test_newcombe_agrees(row: dict[str, Any]) -> None:
    """Newcombe's own example (56/70 v 48/80) and eight more, two-sided and one-sided."""
    counts = row["k1"], row["n1"], row["k2"], row["n2"]
    lower, upper = stats.newcombe(*counts, stats.z_value(0.95))
    assert close(lower, row["interval"][0])
    assert close(upper, row["interval"][1])
    assert close(stats.newcombe(*counts, stats.z_value(0.95, "one"))[0], row["one_sided_lower"])


@pytest.mark.parametrize("row", ORACLES["newcombe_24_flagged"], ids=lambda row: f"public{row['public']}")
def test_newcombe_flags_the_same_gaps(row: dict[str, Any]) -> None:
    """Of 24 against 24, the largest hidden count whose gap is provable, and not one more."""
    most, z = row["most_hidden"], stats.z_value(0.95)
    assert stats.newcombe(row["public"], 24, most, 24, z)[0] > 0
    assert stats.newcombe(row["public"], 24, most + 1, 24, z)[0] <= 0


@pytest.mark.parametrize("row", ORACLES["mcnemar"], ids=lambda row: f"lost{row['lost']}gained{row['gained']}")
def test_mcnemar_agrees(row: dict[str, Any]) -> None:
    """The one-sided exact p and its mid-p."""
    assert close(stats.mcnemar(row["lost"], row["gained"]), row["one_sided"])
    assert close(stats.mcnemar_mid_p(row["lost"], row["gained"]), row["mid_p"])


@pytest.mark.parametrize(("name", "rule"), [("exact", stats.mcnemar), ("mid_p", stats.mcnemar_mid_p)])
def test_mcnemar_flags_the_same_losses(name: str, rule: Any) -> None:
    """The fewest losses that are significant at 0.05 beside so many gains."""
    smallest: dict[str, int] = ORACLES["mcnemar_smallest_lost"][name]  # type: ignore[call-overload]
    for gained, lost in smallest.items():
        assert rule(lost, int(gained)) <= 0.05 < rule(lost - 1, int(gained))


@pytest.mark.parametrize("row", ORACLES["tango"], ids=lambda row: f"{row['lost']},{row['gained']}of{row['n']}")
def test_tango_agrees(row: dict[str, Any]) -> None:
    """Both ends are those of a constrained maximum-likelihood fit."""
    lower, upper = stats.tango(row["lost"], row["gained"], row["n"], stats.z_value(0.95))
    assert close(lower, row["interval"][0])
    assert close(upper, row["interval"][1])


@pytest.mark.parametrize("row", ORACLES["tango_upper_one_sided"], ids=lambda row: f"{row['lost']}of{row['n']}")
def test_tango_upper_bound_agrees(row: dict[str, Any]) -> None:
    """The upper bound that non-inferiority is decided on, with and without changed canaries."""
    assert close(stats.tango(row["lost"], row["gained"], row["n"], stats.z_value(0.95, "one"))[1], row["upper"])


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))))
@settings(max_examples=150, deadline=None)
def test_tango_surrounds_the_drop_and_mirrors(counts: tuple[int, int, int]) -> None:
    """The interval holds the drop, and exchanging lost and gained mirrors it."""
    lost, gained, n = counts
    if lost + gained > n:
        with pytest.raises(ValueError, match="not counts"):
            stats.tango(lost, gained, n)
        return
    lower, upper = stats.tango(lost, gained, n)
    assert -1 <= lower <= (lost - gained) / n + 1e-9
    assert (lost - gained) / n - 1e-9 <= upper <= 1
    mirrored = stats.tango(gained, lost, n)
    assert close(-mirrored[1], lower)
    assert close(-mirrored[0], upper)


@pytest.mark.parametrize("row", ORACLES["pass_at_k"], ids=lambda row: f"{row['c']}of{row['n']}k{row['k']}")
def test_pass_at_k_and_pass_hat_k_agree(row: dict[str, Any]) -> None:
    """Capability and reliability from the same runs."""
    assert close(stats.pass_at_k(row["n"], row["c"], row["k"]), row["pass_at_k"])
    assert close(stats.pass_hat_k(row["n"], row["c"], row["k"]), row["pass_hat_k"])


def test_more_draws_than_runs_are_refused() -> None:
    """pass@k with k above n is undefined, not 1."""
    with pytest.raises(ValueError, match="4 draws of 3"):
        stats.pass_at_k(3, 1, 4)
    with pytest.raises(ValueError, match="4 draws of 3"):
        stats.pass_hat_k(3, 1, 4)


@pytest.mark.parametrize(
    ("passed", "failed", "of", "decided"),
    [
        (1, 0, 1, True),
        (0, 1, 1, False),
        (0, 0, 1, None),
        (1, 1, 2, False),
        (2, 0, 2, True),
        (1, 0, 2, None),
        (2, 0, 3, True),
        (0, 2, 3, False),
        (1, 1, 3, None),
        (2, 2, 4, False),
        (3, 0, 5, True),
        (2, 2, 5, None),
    ],
)
def test_majority_is_strict_and_early(passed: int, failed: int, of: int, decided: bool | None) -> None:
    """More than half pass, at least half fail, and what lies between is not decided."""
    assert stats.majority(passed, failed, of) is decided


@pytest.mark.parametrize("row", [row for row in ORACLES["majority"] if row["seeds"] <= 5], ids=str)
def test_majority_passes_as_often_as_it_should(row: dict[str, Any]) -> None:
    """Over all outcomes of N seeds, the strict majority passes with the published probability."""
    p, seeds = row["p"], row["seeds"]
    total = 0.0
    for votes in product((True, False), repeat=seeds):
        if stats.majority(sum(votes), seeds - sum(votes), seeds):
            total += math.prod(p if vote else 1 - p for vote in votes)
    assert close(total, row["task_pass"])


@pytest.mark.parametrize(
    "call",
    [
        lambda: stats.wilson(3, 2),
        lambda: stats.wilson(-1, 2),
        lambda: stats.newcombe(1, 2, 0, 0),
        lambda: stats.majority(2, 2, 3),
        lambda: stats.majority(0, 0, 0),
        lambda: stats.z_value(1.0),
    ],
)
def test_counts_that_cannot_be_are_refused(call: Any) -> None:
    """A wrong count is an error, never a number."""
    with pytest.raises(ValueError, match=r"."):
        call()
