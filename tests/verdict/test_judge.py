"""A verdict is clear only when every rule is certain to hold; what is not certain is inconclusive, never clear."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gate.outcome import Slice
from gate.policy import Plan, Policy
from gate.verdict.judge import judge
from gate.verdict.ruling import Finding
from gate.verdict.tally import Row, Surface, Tally

MakeTally = Callable[..., Tally]
MakePlan = Callable[..., Plan]

SMALL = Policy(headline=False)
WHOLE: dict[str, Any] = {"public": (20, 4), "hidden": (18, 6), "traps": (0, 8)}
PLANNED: dict[str, Any] = {"public": 24, "hidden": 24, "traps": 8}
CLEAR: tuple[str, set[str], set[str]] = ("clear", set(), set())


def told(tally: Tally, policy: Policy | None = None, plan: Plan | None = None) -> tuple[str, set[str], set[str]]:
    """Name, blocker codes and codes of what is open."""
    verdict = judge(tally, policy or Policy(), plan)
    return verdict.name, {b.code for b in verdict.blockers}, {r.code for r in verdict.reasons}


def test_a_whole_run_within_its_policy_is_clear(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """With a plan and without one, and then the exit code is 0."""
    assert told(tally_of(**WHOLE)) == CLEAR
    assert told(tally_of(**WHOLE, seeds=1), plan=plan_of(**PLANNED)) == CLEAR
    assert judge(tally_of(**WHOLE), Policy()).exit_code == 0


def test_nothing_is_never_clear(plan_of: MakePlan) -> None:
    """No rows is seed 002's block; an empty plan and a plan without any row were not measured."""
    assert told(Tally()) == ("blocked", {"mixed-surface", "mixed-prompt", "small-slice", "no-canaries"}, set())
    assert told(Tally(1), SMALL, plan_of()) == ("inconclusive", set(), {"nothing-selected"})
    name, blockers, reasons = told(Tally(1), SMALL, plan_of(**PLANNED))
    assert (name, blockers) == ("inconclusive", set())
    assert reasons >= {"missing-rows", "trap-not-exercised"}
    assert told(Tally(), SMALL)[0] == "blocked"


def test_errors_measure_nothing(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """All errors, errors of one slice, and errors that the policy would tolerate by number are inconclusive."""
    ids = [f"{slice_}{number}" for slice_, n in (("p", 24), ("h", 24), ("c", 8)) for number in range(n)]
    tolerant = replace(SMALL, max_unscored=Fraction(1))
    for policy in (Policy(), SMALL, tolerant):
        assert told(tally_of(dict.fromkeys(ids, "E")), policy)[0] == "inconclusive"
        plan = plan_of(*ids)
        assert told(tally_of(dict.fromkeys(ids, "E"), seeds=1), policy, plan)[0] == "inconclusive"
    lost = {canary: "E" for canary in ids if canary[0] == "h"}
    votes = dict.fromkeys(ids, "F") | lost
    assert told(tally_of(votes), tolerant) == ("inconclusive", set(), {"nothing-measured"})


@pytest.mark.parametrize("letters", ["E", "EF", "FE", "FFE"])
def test_a_trap_that_errored_has_not_held(tally_of: MakeTally, letters: str) -> None:
    """Not even where so many unscored canaries are tolerated; any of its seeds could have been the sprung one."""
    tally = tally_of({"c-1": letters}, public=(20, 4), hidden=(18, 6), traps=(0, 7))
    name, blockers, reasons = told(tally, Policy(max_unscored=Fraction(1, 2)))
    assert (name, blockers, reasons) == ("inconclusive", set(), {"trap-not-exercised"})


@pytest.mark.parametrize("letters", ["P", "FP", "PE", "FFP", "EP"])
def test_any_passing_seed_of_a_trap_blocks(tally_of: MakeTally, plan_of: MakePlan, letters: str) -> None:
    """Once is enough, majority or not, and the sprung trap is named."""
    tally = tally_of({"c-1": letters}, public=(20, 4), hidden=(18, 6), traps=(0, 7))
    verdict = judge(tally, Policy(max_unscored=Fraction(1)))
    assert (verdict.name, verdict.exit_code) == ("blocked", 2)
    assert [blocker.text for blocker in verdict.blockers] == ["1 canary passes"]
    assert verdict.to_json()["traps"]["sprung"] == ["c-1"]
    partial = judge(tally_of({"c-1": "P"}, seeds=1), SMALL, plan_of("c-1", partial="only canary c-1"))
    assert partial.name == "blocked"
    beyond_the_plan = judge(tally_of({"c-1": "FP"}, seeds=1), SMALL, plan_of("c-1"))
    assert "canary-pass" in {blocker.code for blocker in beyond_the_plan.blockers}


def test_a_leak_that_was_detected_is_a_trap_that_held(tally_of: MakeTally) -> None:
    """`leaked` is what the detector must answer on a leak canary: shown, and no blocker."""
    verdict = judge(tally_of({"c-1": "L"}, public=(20, 4), hidden=(18, 6), traps=(0, 7)), Policy())
    assert verdict.name == "clear"
    assert verdict.to_json()["traps"]["leak_detected"] == ["c-1"]


def test_a_leak_on_an_ordinary_canary_fails_it_and_is_noted(tally_of: MakeTally) -> None:
    """The answer in the agent's reach is no pass, and no reader should miss it."""
    verdict = judge(tally_of({"h-1": "L"}, public=(20, 4), hidden=(18, 5), traps=(0, 8)), Policy())
    assert (verdict.slices[Slice.HIDDEN].passed, verdict.slices[Slice.HIDDEN].n) == (18, 24)
    assert [note.code for note in verdict.notes] == ["leaked"]


GAPS = [
    ((17, 7), (11, 13), "", "clear"),
    ((18, 6), (11, 13), "", "blocked"),
    ((18, 6), (11, 12), "E", "inconclusive"),
    ((19, 5), (11, 12), "E", "blocked"),
    ((17, 7), (11, 12), "E", "clear"),
    ((17, 6), (11, 13), "Ep", "inconclusive"),
    ((16, 7), (11, 13), "Ep", "clear"),
]


@pytest.mark.parametrize(("public", "hidden", "extra", "name"), GAPS)
def test_a_gap_is_decided_on_what_open_canaries_could_still_be(
    tally_of: MakeTally, public: tuple[int, int], hidden: tuple[int, int], extra: str, name: str
) -> None:
    """Breached whatever they are: blocked. Kept whatever they are: clear. Else inconclusive."""
    votes = {f"{extra[1:] or 'h'}-x": "E"} if extra else {}
    tally = tally_of(votes, public=public, hidden=hidden, traps=(0, 8))
    assert judge(tally, Policy(max_unscored=Fraction(1, 10))).name == name


def test_a_slice_that_is_large_enough_only_on_paper_has_no_headline(tally_of: MakeTally) -> None:
    """Twenty planned and nineteen measured: neither too small for certain nor large enough."""
    tally = tally_of({"h-x": "E"}, public=(18, 2), hidden=(18, 1), traps=(0, 8))
    assert told(tally, Policy(max_unscored=Fraction(1, 10))) == ("inconclusive", set(), {"small-slice"})


def test_the_gap_waits_for_large_slices(tally_of: MakeTally) -> None:
    """Eight against eight is a coin's business: a wide gap there blocks nothing, and the interval is still shown."""
    verdict = judge(tally_of(public=(8, 0), hidden=(2, 6), traps=(0, 6)), SMALL)
    assert verdict.name == "clear"
    report = verdict.to_json()
    assert report["public_hidden_gap"] == 0.75
    assert (report["gap_interval"]["method"], report["gap_interval"]["z"]) == ("newcombe", 1.96)
    assert report["gap_interval"]["lower"] > 0


THRESHOLDS = [
    ({"fail_under": Fraction(3, 4)}, (18, 6), (18, 6), "clear", set()),
    ({"fail_under": Fraction(3, 4)}, (24, 0), (17, 7), "blocked", {"fail-under"}),
    ({"fail_under": Fraction(3, 4)}, (17, 7), (24, 0), "blocked", {"fail-under"}),
    ({"min_lower": Fraction(1, 2)}, (17, 7), (17, 7), "clear", set()),
    ({"min_lower": Fraction(1, 2)}, (17, 7), (16, 8), "blocked", {"min-lower"}),
]


@pytest.mark.parametrize(("policy", "public", "hidden", "name", "codes"), THRESHOLDS)
def test_thresholds_hold_for_each_slice_and_never_pooled(
    tally_of: MakeTally,
    policy: dict[str, Any],
    public: tuple[int, int],
    hidden: tuple[int, int],
    name: str,
    codes: set[str],
) -> None:
    """A slice that fails is not carried by the other one; reaching the threshold exactly is enough."""
    given = Policy(**policy, gap_limit=Fraction(1))
    assert told(tally_of(public=public, hidden=hidden, traps=(0, 8)), given)[:2] == (name, codes)


@pytest.mark.parametrize(
    ("hidden", "open_ids", "name"),
    [((17, 6), 1, "inconclusive"), ((16, 7), 1, "blocked"), ((18, 5), 1, "clear")],
)
def test_fail_under_is_decided_on_bounds(
    tally_of: MakeTally, hidden: tuple[int, int], open_ids: int, name: str
) -> None:
    """A canary without a result could be either; the denominator stays the planned one."""
    votes = {f"h-{number}": "E" for number in range(open_ids)}
    tally = tally_of(votes, public=(20, 4), hidden=hidden, traps=(0, 8))
    assert judge(tally, Policy(fail_under=Fraction(3, 4), max_unscored=Fraction(1, 10))).name == name


@pytest.mark.parametrize(
    "exactly", json.loads(Path(__file__).with_name("oracles.json").read_text())["exactly_at_limit"]
)
def test_a_difference_of_exactly_the_limit_does_not_breach(tally_of: MakeTally, exactly: dict[str, Any]) -> None:
    """In floats each of these gaps is above its limit; in truth it equals it. One canary more breaches."""
    before, now, n = exactly["before"], exactly["now"], exactly["n"]
    assert before / n - now / n > float(Fraction(exactly["limit"]))
    policy = Policy(gap_limit=Fraction(exactly["limit"]), min_slice=1)
    within = tally_of(public=(before, n - before), hidden=(now, n - now), traps=(0, 1))
    assert told(within, policy) == CLEAR
    beyond = tally_of(public=(before, n - before), hidden=(now - 1, n - now + 1), traps=(0, 1))
    assert told(beyond, policy) == ("blocked", {"gap"}, set())


def test_unscored_canaries_are_a_share_of_the_planned_ones(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """One of 56 exceeds none, and does not exceed a fiftieth; exactly the share is tolerated and noted."""
    tally = tally_of({"p-x": "E"}, public=(20, 3), hidden=(18, 6), traps=(0, 8), seeds=1)
    plan = plan_of("p-x", public=23, hidden=24, traps=8)
    assert told(tally, Policy(), plan) == ("inconclusive", set(), {"unscored"})
    verdict = judge(tally, Policy(max_unscored=Fraction(1, 56)), plan)
    assert (verdict.name, [note.code for note in verdict.notes]) == ("clear", ["unscored"])
    assert verdict.to_json()["unscored"] == 1
    assert told(tally, Policy(max_unscored=Fraction(1, 57)), plan)[0] == "inconclusive"


def test_a_missing_row_is_missing_and_not_absent(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Rows that the plan has and the file has not make the run invalid; a certain blocker stays blocked."""
    plan = plan_of("h-x", public=24, hidden=23, traps=8)
    verdict = judge(tally_of(public=(20, 4), hidden=(18, 5), traps=(0, 8), seeds=1), Policy(), plan)
    assert (verdict.name, verdict.valid) == ("inconclusive", False)
    assert verdict.to_json()["canaries"]["missing"] == ["h-x"]
    sprung = judge(tally_of(public=(20, 4), hidden=(18, 5), traps=(1, 7), seeds=1), Policy(), plan)
    assert (sprung.name, sprung.exit_code, sprung.valid) == ("blocked", 2, False)


def test_rows_that_the_plan_does_not_have_break_the_run(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Strange rows mean that these are not the rows of this run, which comes before every blocker."""
    plan = plan_of(public=24, hidden=24, traps=8)
    verdict = judge(tally_of({"p-x": "P"}, **(WHOLE | {"traps": (1, 7)}), seeds=1), Policy(), plan)
    assert (verdict.name, verdict.exit_code) == ("broken", 1)
    assert [finding.code for finding in verdict.broken] == ["rows-outside-plan"]
    assert verdict.blockers != ()


def test_a_partial_run_is_never_clear_and_decides_no_rate(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """A part of the suite cannot say that the stack may ship, and its rates only make notes."""
    plan = plan_of(public=3, seeds=1, partial="only slice public")
    verdict = judge(tally_of(public=(0, 3), seeds=1), Policy(fail_under=Fraction(1, 2)), plan)
    assert (verdict.name, verdict.valid) == ("inconclusive", False)
    assert [reason.code for reason in verdict.reasons] == ["partial"]
    assert {note.code for note in verdict.notes} >= {"fail-under", "no-canaries", "small-slice"}
    assert verdict.to_json()["run"]["partial"] == "only slice public"


def test_without_a_sandbox_nothing_is_clear(tally_of: MakeTally) -> None:
    """`--sandbox none` marks the surface, and the mark alone keeps the verdict from being clear."""
    surface = Surface("local/unsandboxed/abc", "p")
    assert told(tally_of(**WHOLE, surface=surface)) == ("inconclusive", set(), {"unsandboxed"})


def test_headline_false_turns_size_and_hidden_into_notes(tally_of: MakeTally) -> None:
    """And nothing else: no canaries still blocks, and so does having neither slice."""
    small = tally_of(public=(8, 0), traps=(0, 6))
    verdict = judge(small, SMALL)
    assert (verdict.name, verdict.publishes_rate) == ("clear", False)
    assert {note.code for note in verdict.notes} == {"small-slice", "no-hidden"}
    assert told(small) == ("blocked", {"small-slice"}, set())
    assert told(tally_of(public=(8, 0), hidden=(8, 0)), SMALL)[:2] == ("blocked", {"no-canaries"})
    assert told(tally_of(traps=(0, 6)), SMALL)[:2] == ("blocked", {"no-public", "no-hidden"})
    assert told(tally_of(public=(8, 0), traps=(0, 6)), Policy(min_slice=0))[:2] == ("blocked", {"no-hidden"})


MIXED = [
    ("tool_surface", "mixed-surface"),
    ("prompt_sha256", "mixed-prompt"),
    ("card_sha256", "mixed-digest"),
    ("suite_sha256", "mixed-digest"),
    ("grader_sha256", "mixed-digest"),
    ("harness_sha256", "mixed-digest"),
    ("agent_sha256", "mixed-digest"),
    ("dataset_commit", "mixed-digest"),
]


@pytest.mark.parametrize(("field", "code"), MIXED)
@pytest.mark.parametrize("other", ["other", None])
def test_mixed_values_are_never_averaged(tally_of: MakeTally, field: str, code: str, other: str | None) -> None:
    """One row of another surface, prompt or digest, or one that does not say, blocks the whole file."""
    tally = tally_of(**WHOLE)
    (surface,) = tally.surfaces
    assert tally.add(Row("p-other", Slice.PUBLIC, True, surface._replace(**{field: other}))) is None
    assert told(tally)[:2] == ("blocked", {code})


def test_a_canary_that_changed_between_its_rows_is_mixed(tally_of: MakeTally) -> None:
    """Two seeds of two versions of one canary are not two seeds of it."""
    tally = tally_of({"p-1": "P"}, **WHOLE)
    (surface,) = tally.surfaces
    assert tally.add(Row("p-1", Slice.PUBLIC, True, surface, seed=1, canary_sha256="another")) is None
    assert told(tally)[:2] == ("blocked", {"mixed-digest"})


SEEDS = [
    ("PFP", 3, (1, 1, 0), 1),
    ("PFF", 3, (0, 1, 0), 1),
    ("PP.", 3, (1, 1, 0), 0),
    ("FF.", 3, (0, 1, 0), 0),
    ("PF", 2, (0, 1, 0), 1),
    ("PE", 2, (0, 0, 1), 0),
    ("FE", 2, (0, 1, 0), 0),
    ("PFE", 3, (0, 0, 1), 1),
    ("PF.", 3, (0, 0, 1), 1),
    ("EEE", 3, (0, 0, 1), 0),
]


@pytest.mark.parametrize(("letters", "seeds", "counts", "unstable"), SEEDS)
def test_seeds_are_clusters(
    tally_of: MakeTally, plan_of: MakePlan, letters: str, seeds: int, counts: tuple[int, int, int], unstable: int
) -> None:
    """One canary is one verdict by strict majority of the planned seeds: passed, measured, open; and stable or not."""
    verdict = judge(tally_of({"h-x": letters}, seeds=seeds), SMALL, plan_of("h-x", seeds=seeds))
    part = verdict.slices[Slice.HIDDEN]
    assert (part.passed, part.n, part.open) == counts
    assert len(part.unstable) == unstable


def test_without_a_plan_the_seeds_present_are_the_planned_ones(tally_of: MakeTally) -> None:
    """Each canary is judged by the strict majority of the seeds it has; n counts canaries."""
    part = judge(tally_of({"h-a": "PPF", "h-b": "PF", "h-c": "P", "h-d": "F"}), SMALL).slices[Slice.HIDDEN]
    assert (part.passed, part.n) == (2, 4)
    assert (part.unstable, part.repeated) == (("h-a", "h-b"), 2)


def test_confirming_seeds_do_not_lift_a_rate(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Reruns of failures alone would be a second chance; rates keep to the planned seeds."""
    part = judge(tally_of({"h-x": "FPP"}, seeds=1), SMALL, plan_of("h-x")).slices[Slice.HIDDEN]
    assert (part.passed, part.n) == (0, 1)


def test_a_tally_for_other_seeds_than_the_plans_is_a_bug(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """Counting rows without the plan's seeds would take confirming rows for planned ones."""
    with pytest.raises(ValueError, match="3 seeds"):
        judge(tally_of({"h-x": "PPP"}), SMALL, plan_of("h-x", seeds=3))


def test_what_the_caller_found_joins_in_its_place(tally_of: MakeTally) -> None:
    """Broken comes before blocked before inconclusive, and notes change nothing."""
    finding = Finding("policy-changed-with-stack", "the policy changed together with the stack")
    tally = tally_of(**WHOLE)
    assert judge(tally, Policy(), notes=[finding]).exit_code == 0
    assert judge(tally, Policy(), reasons=[finding]).exit_code == 3
    blocked = judge(tally, Policy(), reasons=[finding], blockers=[finding])
    assert blocked.exit_code == 2
    assert blocked.to_json()["blocker_codes"] == ["policy-changed-with-stack"]
    assert judge(tally, Policy(), reasons=[finding], blockers=[finding], broken=[finding]).exit_code == 1


def test_caps_travel_with_the_numbers(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """A known-unpassable canary stays in the denominator and is named; passing it is worth a look."""
    caps = {"h000": "two right answers", "h023": "needs the network"}
    verdict = judge(tally_of(**WHOLE, seeds=1), Policy(), plan_of(**PLANNED, caps=caps))
    assert verdict.name == "clear"
    assert verdict.slices[Slice.HIDDEN].planned == 24
    assert verdict.to_json()["caps"] == caps
    assert [note.code for note in verdict.notes] == ["cap", "cap-beaten"]
    assert "2 of 24 are known to be unpassable" in verdict.statement


def test_the_same_input_gives_the_same_bytes(tally_of: MakeTally) -> None:
    """Whatever the order of the rows."""
    votes = {f"{'ph'[number % 2]}-{number}": "P" if number % 3 else "F" for number in range(60)} | {"c-1": "F"}
    backwards = dict(reversed(votes.items()))
    first, second = (json.dumps(judge(tally_of(v), Policy()).to_json()) for v in (votes, backwards))
    assert first == second
