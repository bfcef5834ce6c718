"""What was lost since the baseline is named canary by canary, confirmed by rerun, and compared exactly."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gate.outcome import Slice
from gate.policy import Baseline, BaselineEntry, Plan, Policy
from gate.verdict.drop import newly_failing
from gate.verdict.judge import Verdict, judge
from gate.verdict.tally import Surface, Tally

MakeTally = Callable[..., Tally]
MakePlan = Callable[..., Plan]

ORACLES = json.loads(Path(__file__).with_name("oracles.json").read_text())
MEASURING = {"suite": "s", "card": "c", "grader": "g", "harness": "h"}
MEASURED = {"prompt": "p", "agent": "a"}
SLICES = {"p": Slice.PUBLIC, "h": Slice.HIDDEN, "c": Slice.CANARY}
ONE_SEED = Policy(headline=False, confirm_seeds=0)
CONFIRMED = Policy(headline=False)


def baseline_of(passed: Iterable[str], failed: Iterable[str] = (), **measuring: str) -> Baseline:
    """A baseline in which these passed and those failed."""
    entries = [(name, True) for name in passed] + [(name, False) for name in failed]
    canaries = {name: BaselineEntry(SLICES[name[0]], ok, f"sha-{name}") for name, ok in entries}
    return Baseline(MEASURING | measuring, MEASURED, 1, canaries)


def ids(letter: str, n: int) -> list[str]:
    """The ids that `tally_of` and `plan_of` give to a slice of so many."""
    return [f"{letter}{number:03}" for number in range(n)]


def reasons(verdict: Verdict) -> set[str]:
    """The codes of what is open."""
    return {reason.code for reason in verdict.reasons}


@pytest.mark.parametrize(
    "exactly", json.loads(Path(__file__).with_name("oracles.json").read_text())["exactly_at_limit"]
)
def test_a_drop_of_exactly_the_limit_does_not_breach(
    tally_of: MakeTally, plan_of: MakePlan, exactly: dict[str, Any]
) -> None:
    """In floats it would; one canary more does."""
    before, now, n = exactly["before"], exactly["now"], exactly["n"]
    baseline = baseline_of(ids("h", n)[:before], ids("h", n)[before:])
    policy = Policy(headline=False, confirm_seeds=0, score_drop=Fraction(exactly["limit"]))
    plan = plan_of(hidden=n, traps=1)
    for passed, name in ((now, "clear"), (now - 1, "blocked")):
        tally = tally_of(hidden=(passed, n - passed), traps=(0, 1), seeds=1)
        assert judge(tally, policy, plan, baseline).name == name


def test_slices_are_compared_apart(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Two public canaries gained do not pay for one hidden canary lost."""
    baseline = baseline_of([*ids("p", 8)[2:], *ids("h", 8)], ids("p", 8)[:2])
    tally = tally_of(public=(8, 0), hidden=(7, 1), traps=(0, 1), seeds=1)
    verdict = judge(tally, ONE_SEED, plan_of(public=8, hidden=8, traps=1), baseline)
    assert [blocker.code for blocker in verdict.blockers] == ["score-drop"]
    assert "h007" in verdict.blockers[0].text
    report = verdict.to_json()["baseline"]["slices"]
    assert (report["public"]["gained"], report["public"]["lost"]) == (["p000", "p001"], [])
    assert (report["hidden"]["gained"], report["hidden"]["lost"]) == ([], ["h007"])
    assert report["hidden"]["interval"]["method"] == "tango"
    assert (report["hidden"]["mcnemar_one_sided"], report["hidden"]["mcnemar_mid_p_one_sided"]) == (0.5, 0.25)


def test_gains_count_against_losses_in_their_slice(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """One lost and one gained is no drop, and both are still named."""
    baseline = baseline_of(ids("h", 8)[1:], ids("h", 8)[:1])
    verdict = judge(tally_of(hidden=(7, 1), traps=(0, 1), seeds=1), ONE_SEED, plan_of(hidden=8, traps=1), baseline)
    assert verdict.name == "clear"
    (note,) = [note for note in verdict.notes if note.code == "baseline-change"]
    assert note.text == "hidden: lost h007; gained h000"


@pytest.mark.parametrize("name", ["suite", "card", "grader", "harness"])
def test_a_baseline_measured_otherwise_is_not_compared(tally_of: MakeTally, plan_of: MakePlan, name: str) -> None:
    """Another measuring side is named and makes the run inconclusive: neither a drop nor the lack of one is shown."""
    baseline = baseline_of(ids("h", 8), **{name: "other"})
    for passed in (8, 0):
        tally = tally_of(hidden=(passed, 8 - passed), traps=(0, 1), seeds=1)
        plan = plan_of(hidden=8, traps=1)
        verdict = judge(tally, CONFIRMED, plan, baseline)
        assert (verdict.name, reasons(verdict)) == ("inconclusive", {"baseline-differs"})
        assert name in verdict.reasons[0].text
        assert newly_failing(tally, plan, CONFIRMED, baseline) == ()


def test_a_changed_stack_is_named_and_compared(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Prompt and agent are what a pull request changes: a note, no more."""
    surface = Surface("local/net-off", "other prompt", "c", "s", "g", "h", "other agent", "d")
    tally = tally_of(hidden=(8, 0), traps=(0, 1), seeds=1, surface=surface)
    verdict = judge(tally, CONFIRMED, plan_of(hidden=8, traps=1), baseline_of(ids("h", 8)))
    assert verdict.name == "clear"
    assert verdict.to_json()["baseline"]["stack_changed"] == ["prompt", "agent"]


def test_a_canary_that_changed_is_not_compared(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Another digest, another slice or no entry: named and left out; with nothing left to compare, inconclusive."""
    baseline = baseline_of(["h001"])
    changed = {"h000": BaselineEntry(Slice.HIDDEN, True, "old"), "h002": BaselineEntry(Slice.PUBLIC, True, "sha-h002")}
    baseline = Baseline(MEASURING, MEASURED, 1, {**baseline.canaries, **changed})
    plan = plan_of(hidden=4, traps=1)
    verdict = judge(tally_of({"h001": "P"}, hidden=(0, 4), traps=(0, 1), seeds=1), ONE_SEED, plan, baseline)
    assert verdict.name == "clear"
    assert verdict.to_json()["baseline"]["slices"]["hidden"]["not_compared"] == ["h000", "h002", "h003"]
    empty = judge(tally_of(hidden=(0, 4), traps=(0, 1), seeds=1), ONE_SEED, plan, baseline_of([]))
    assert (empty.name, reasons(empty)) == ("inconclusive", {"baseline-gap"})


CONFIRMING = [
    # planned seeds, reruns, rows of the canary -> list it is in, is it to be rerun
    (1, 0, "F", "lost", False),
    (1, 2, "F", "unconfirmed", True),
    (1, 2, "FF", "lost", False),
    (1, 2, "FP", "unconfirmed", True),
    (1, 2, "FPF", "lost", False),
    (1, 2, "FPP", "recovered", False),
    (1, 2, "FPE", "unconfirmed", True),
    (1, 2, "FEF", "lost", False),
    (1, 1, "F", "lost", False),
    (3, 2, "FF", "unconfirmed", True),
    (3, 2, "FF.FP", "lost", False),
    (3, 2, "FF.PP", "unconfirmed", True),
    (3, 2, "FFPPP", "recovered", False),
    (3, 2, "FFFPP", "lost", False),
    (3, 2, "FFF", "lost", False),
    (1, 2, "P", None, False),
    (1, 2, "E", "unknown", False),
    (1, 2, "EPP", "unknown", False),
]


@pytest.mark.parametrize(("seeds", "confirm", "letters", "where", "rerun"), CONFIRMING)
def test_a_loss_counts_once_it_is_confirmed(
    tally_of: MakeTally, plan_of: MakePlan, seeds: int, confirm: int, letters: str, where: str | None, rerun: bool
) -> None:
    """At least half of planned and confirming seeds failed: lost. More than half passed: recovered. Else not known."""
    policy = Policy(headline=False, confirm_seeds=confirm)
    plan = plan_of("h-x", "c-1", seeds=seeds)
    tally = tally_of({"h-x": letters, "c-1": "F" * seeds}, seeds=seeds)
    baseline = baseline_of(["h-x"])
    report = judge(tally, policy, plan, baseline).to_json()["baseline"]["slices"]["hidden"]
    lists = {name for name in ("lost", "recovered", "unconfirmed", "unknown") if report[name] == ["h-x"]}
    assert lists == ({where} if where else set())
    assert newly_failing(tally, plan, policy, baseline) == (("h-x",) if rerun else ())


@pytest.mark.parametrize(
    ("letters", "name"), [("F", "inconclusive"), ("FF", "blocked"), ("FPF", "blocked"), ("FPP", "clear")]
)
def test_an_unconfirmed_loss_neither_blocks_nor_clears(
    tally_of: MakeTally, plan_of: MakePlan, letters: str, name: str
) -> None:
    """One failure of a canary that passed before is a coin's business until it was run again."""
    tally = tally_of({"h-x": letters, "c-1": "F"}, seeds=1)
    verdict = judge(tally, CONFIRMED, plan_of("h-x", "c-1"), baseline_of(["h-x"]))
    assert verdict.name == name
    if name == "clear":
        assert "recovered" in {note.code for note in verdict.notes}


def test_only_what_could_breach_is_rerun(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """One of 24 is within a twentieth even if it is lost; two are not, and then both are rerun. Traps never are."""
    baseline = baseline_of([*ids("h", 24), "c-1"])
    plan = plan_of("c-1", hidden=24)
    for failed, expected in ((1, ()), (2, ("h022", "h023"))):
        tally = tally_of({"c-1": "F"}, hidden=(24 - failed, failed), seeds=1)
        assert newly_failing(tally, plan, CONFIRMED, baseline) == expected
    within = judge(tally_of({"c-1": "F"}, hidden=(23, 1), seeds=1), CONFIRMED, plan, baseline)
    assert within.name == "clear"


def test_unscored_canaries_leave_a_drop_open(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Lost whatever they are: blocked. Not lost whatever they are: clear. Else inconclusive."""
    policy = Policy(headline=False, confirm_seeds=0, max_unscored=Fraction(1), score_drop=Fraction(1, 4))
    plan = plan_of("h-x", hidden=7, traps=1)
    for lost, name in ((1, "clear"), (2, "inconclusive"), (3, "blocked")):
        baseline = baseline_of([*ids("h", 7), "h-x"])
        tally = tally_of({"h-x": "E"}, hidden=(7 - lost, lost), traps=(0, 1), seeds=1)
        assert judge(tally, policy, plan, baseline).name == name


def test_rows_without_a_plan_need_as_many_seeds_as_a_confirmed_loss(tally_of: MakeTally) -> None:
    """`gate check` cannot tell planned seeds from confirming ones, so it wants one and its confirmation."""
    baseline = baseline_of(["h-x"])
    for letters, name in (("F", "inconclusive"), ("FF", "blocked"), ("FPP", "clear"), ("FFPPP", "clear")):
        assert judge(tally_of({"h-x": letters, "c-1": "F"}), CONFIRMED, baseline=baseline).name == name


def test_a_partial_run_only_notes_its_drop(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """The share of a part is no share of the suite."""
    plan = plan_of("h-x", partial="only canary h-x")
    verdict = judge(tally_of({"h-x": "F"}, seeds=1), ONE_SEED, plan, baseline_of(["h-x"]))
    assert (verdict.name, reasons(verdict)) == ("inconclusive", {"partial"})
    assert "score-drop" in {note.code for note in verdict.notes}
