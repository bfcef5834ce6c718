"""A headline needs graders that were audited on this suite; and where a canary cannot pass, every number says so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from gate.audited import AuditState
from gate.policy import Plan, Policy
from gate.report.terminal import show
from gate.suite.schema import validator
from gate.verdict.judge import Verdict, judge
from gate.verdict.tally import Tally

MakeTally = Callable[..., Tally]
MakePlan = Callable[..., Plan]

WHOLE: dict[str, Any] = {"public": (20, 4), "hidden": (18, 6), "traps": (0, 8)}
PLANNED: dict[str, Any] = {"public": 24, "hidden": 24, "traps": 8}
CURRENT = AuditState(stamped=True)
NEVER = AuditState(stamped=False)
CHANGED = AuditState(True, ("suite", "graders"), ("p001", "p002"))
CODE = "no-current-audit"

RULES = [
    (CURRENT, {}, None, "clear", "held"),
    (NEVER, {}, None, "blocked", "blocked"),
    (CHANGED, {}, None, "blocked", "blocked"),
    (NEVER, {"headline": False}, None, "clear", "noted"),
    (CHANGED, {"headline": False}, None, "clear", "noted"),
    (CURRENT, {"headline": False}, None, "clear", "held"),
    (NEVER, {}, "only slice public", "inconclusive", "noted"),
    (None, {}, None, "clear", "off"),
    (None, {"headline": False}, None, "clear", "off"),
]


@pytest.mark.parametrize(("audit", "policy", "partial", "name", "answer"), RULES)
def test_a_headline_needs_a_current_audit(
    tally_of: MakeTally,
    plan_of: MakePlan,
    audit: AuditState | None,
    policy: dict[str, Any],
    partial: str | None,
    name: str,
    answer: str,
) -> None:
    """Blocked where a rate would be published, noted where none is, off for rows that know of no audit."""
    plan = plan_of(**PLANNED, partial=partial)
    verdict = judge(tally_of(**WHOLE, seeds=1), Policy(**policy), plan, audit=audit)
    assert verdict.name == name
    (ruling,) = [ruling for ruling in verdict.rulings if ruling.code == CODE]
    assert str(ruling.answer) == answer
    report = verdict.to_json()
    assert report["audit"] == (audit.to_json() if audit else None)
    assert (CODE in report["blocker_codes"]) is (answer == "blocked")
    assert (CODE in {note["code"] for note in report["notes"]}) is (answer == "noted")
    assert verdict.publishes_rate is (name == "clear" and policy.get("headline", True))
    assert validator("check").is_valid(report)


def test_what_changed_since_the_audit_is_said_on_the_terminal(tally_of: MakeTally, plan_of: MakePlan) -> None:
    """The canaries by name, five of them at most, and what to do; in the statement too where it blocks."""
    many = AuditState(True, ("suite",), tuple(f"p{number:03}" for number in range(9)))
    cases = ((CHANGED, "the suite changed (p001, p002), the graders changed"), (many, "p003, p004, 4 more)"))
    for audit, told in cases:
        verdict = judge(tally_of(**WHOLE, seeds=1), Policy(), plan_of(**PLANNED), audit=audit)
        flat = " ".join(show(verdict).split())
        assert flat.count(told) == 2
        assert "run `gate audit` again" in flat
        assert "p005" not in flat


def numbers(verdict: Verdict) -> list[str]:
    """Every sentence for people that counts or rates what passed in the public slice."""
    texts = [finding.text for finding in (*verdict.blockers, *verdict.reasons, *verdict.notes)]
    texts += verdict.statement.splitlines()
    words = ("gap 0", "of 24 passed", "public 2", "lower bound", "lost")
    return [text for text in texts if any(word in text for word in words)]


CAPPED = [
    ("clear", {}, (22, 2), (18, 6), 2),
    ("blocked", {"gap_limit": Fraction(1, 10)}, (22, 2), (12, 12), 3),
    ("blocked", {"fail_under": Fraction(23, 24), "min_lower": Fraction(4, 5)}, (22, 2), (22, 2), 3),
    ("blocked", {"min_slice": 25}, (22, 2), (18, 6), 2),
    ("clear", {"low_rate": Fraction(9, 10)}, (22, 2), (22, 2), 3),
]


@pytest.mark.parametrize(("name", "policy", "public", "hidden", "least"), CAPPED)
@pytest.mark.parametrize("planned", [True, False])
def test_a_cap_travels_with_every_number(
    tally_of: MakeTally,
    plan_of: MakePlan,
    name: str,
    policy: dict[str, Any],
    public: tuple[int, int],
    hidden: tuple[int, int],
    least: int,
    planned: bool,
) -> None:
    """Statement, blockers and notes, terminal and JSON: no count, rate, bound or gap without what can be reached."""
    caps = {"p023": "no answer exists", "h023": "nor here"}
    tally = tally_of(public=public, hidden=hidden, traps=(0, 8), seeds=1 if planned else None)
    plan = plan_of(**PLANNED, caps=caps) if planned else None
    verdict = judge(tally, Policy(**policy), plan, audit=CURRENT, caps=None if planned else caps)
    assert verdict.name == name
    found = numbers(verdict)
    assert len(found) >= least
    assert [text for text in found if "unpassable" not in text] == []
    report = verdict.to_json()
    for slice_ in ("public", "hidden"):
        assert report["slices"][slice_]["cap"] == {"most": 23, "of": 24}
        assert report["wilson"][slice_]["cap"] == {"most": 23, "of": 24}
    assert report["caps"] == caps
    assert validator("check").is_valid(report)
    table, gap = (show(verdict).split("\n\n")[number] for number in (1, 2))
    assert "at most" in table.splitlines()[0]
    assert all("  23/24  " in line for line in table.splitlines()[1:3])
    assert "known to be unpassable: public: 1 of 24, hidden: 1 of 24" in gap


def test_nothing_is_said_of_caps_where_there_are_none(tally_of: MakeTally) -> None:
    """Seed 002's objects and sentences stay as they are."""
    verdict = judge(tally_of(**WHOLE), Policy())
    assert "cap" not in verdict.to_json()["slices"]["public"]
    assert "at most " not in show(verdict).split("\n\n")[1]
    assert "unpassable" not in verdict.statement
