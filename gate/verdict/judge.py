"""From rows, policy, plan and baseline to a verdict: a pure function, the same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gate.audited import AuditState
from gate.errors import ExitCode
from gate.outcome import Slice
from gate.policy import Baseline, Plan, Policy
from gate.verdict import statement as say
from gate.verdict.case import Case
from gate.verdict.drop import Drop, names
from gate.verdict.rules import RULES
from gate.verdict.ruling import Answer, Finding, Ruling, decimal
from gate.verdict.slices import Standing, Standings
from gate.verdict.statistics import Z, mcnemar, mcnemar_mid_p, tango
from gate.verdict.tally import Tally

Name = Literal["clear", "blocked", "inconclusive", "broken"]

_EXIT: Mapping[Name, ExitCode] = {
    "clear": ExitCode.CLEAR,
    "blocked": ExitCode.BLOCKED,
    "inconclusive": ExitCode.INCONCLUSIVE,
    "broken": ExitCode.BROKEN,
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said of a run. `rulings` are all rules with their answers; the findings below are drawn from them."""

    name: Name
    case: Case
    rulings: tuple[Ruling, ...]
    blockers: tuple[Finding, ...]
    reasons: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    broken: tuple[Finding, ...]
    statement: str

    @property
    def exit_code(self) -> ExitCode:
        """0 clear, 1 broken, 2 blocked, 3 inconclusive."""
        return _EXIT[self.name]

    @property
    def slices(self) -> Mapping[Slice, Standings]:
        """The counts of each slice."""
        return self.case.slices

    @property
    def valid(self) -> bool:
        """Whether the whole plan was run and the harness held: a part of a run is not a run."""
        return not self.broken and self.case.partial is None and not self.case.ids(Standing.MISSING)

    @property
    def publishes_rate(self) -> bool:
        """Whether the statement holds a rate."""
        return self.name == "clear" and self.case.policy.headline

    def to_json(self, run: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Seed 002's object, key for key in its order, then ours. `run` adds facts of the run to `run`."""
        case = self.case
        public, hidden = case.measured
        return {
            "slices": {str(name): _slice_json(part) for name, part in case.slices.items()},
            "public_hidden_gap": case.gap,
            "hidden_wilson_lower_95": round(hidden.interval[0], 4),
            "headline_blocked": not self.publishes_rate,
            "blockers": [blocker.text for blocker in self.blockers],
            "verdict": self.name,
            "exit_code": int(self.exit_code),
            "blocker_codes": [blocker.code for blocker in self.blockers],
            "statement": self.statement,
            "unscored": len(case.ids(Standing.UNSCORED)),
            "run": _run_json(self) | dict(run or {}),
            "reasons": [_finding_json(reason) for reason in (*self.broken, *self.reasons)],
            "notes": [_finding_json(note) for note in self.notes],
            "gap_interval": _gap_json(case),
            "wilson": {str(part.name): _wilson_json(part) for part in (public, hidden)},
            "traps": _traps_json(case),
            "canaries": {standing: list(case.ids(standing)) for standing in (Standing.UNSCORED, Standing.MISSING)},
            "unstable": {str(part.name): list(part.unstable) for part in case.slices.values()},
            "caps": {canary: why for part in case.slices.values() for canary, why in sorted(part.caps.items())},
            "audit": case.audit.to_json() if case.audit is not None else None,
            "baseline": _baseline_json(case),
            "policy": _policy_json(case.policy),
        }


def judge(
    tally: Tally,
    policy: Policy,
    plan: Plan | None = None,
    baseline: Baseline | None = None,
    *,
    blockers: Sequence[Finding] = (),
    reasons: Sequence[Finding] = (),
    notes: Sequence[Finding] = (),
    broken: Sequence[Finding] = (),
    audit: AuditState | None = None,
    caps: Mapping[str, str] | None = None,
) -> Verdict:
    """Judge the rows. Precedence: broken over blocked over inconclusive; only a verdict with none of them is clear.

    `blockers`, `reasons` (for inconclusive), `notes` and `broken` are what the caller found besides the rows. Without a
    plan the canaries that have rows are all there are, and `caps` are those known to be unpassable. `audit` says
    whether the graders are proven on this suite; None where the rows know of no audit. Raises ValueError for a tally
    counted for other seeds than the plan's.
    """
    case = Case.of(tally, policy, plan, baseline, audit, caps)
    broken = (*broken, *_outside_plan(tally, plan))
    rulings: tuple[Ruling, ...]
    if plan is not None and not plan.canaries:
        rulings = (Ruling("nothing-selected", "something to run", Answer.OPEN, "no canary was selected"),)
    else:
        rulings = tuple(ruling for rule in RULES for ruling in rule(case))
    blockers = (*_drawn(rulings, Answer.BLOCKED), *blockers)
    reasons = (*_drawn(rulings, Answer.OPEN), *reasons)
    name, statement = _conclude(case, blockers, reasons, broken)
    return Verdict(
        name=name,
        case=case,
        rulings=rulings,
        blockers=blockers,
        reasons=reasons,
        notes=(*_drawn(rulings, Answer.NOTED), *notes),
        broken=broken,
        statement=statement,
    )


def _conclude(
    case: Case, blockers: Sequence[Finding], reasons: Sequence[Finding], broken: Sequence[Finding]
) -> tuple[Name, str]:
    if broken:
        return "broken", say.broken(case, broken)
    if blockers:
        return "blocked", say.blocked(case, blockers)
    if reasons:
        return "inconclusive", say.inconclusive(case, reasons)
    return "clear", say.clear(case)


def _drawn(rulings: Iterable[Ruling], answer: Answer) -> tuple[Finding, ...]:
    return tuple(ruling.finding for ruling in rulings if ruling.answer is answer)


def _outside_plan(tally: Tally, plan: Plan | None) -> tuple[Finding, ...]:
    """Rows that the plan did not ask for: then the rows are not of this run, and nothing can be said."""
    if plan is None:
        return ()
    planned = {entry.id: entry for entry in plan.canaries}
    strangers = sorted(
        canary
        for canary, record in tally.records.items()
        if canary not in planned or planned[canary].slice is not record.slice
    )
    if not strangers:
        return ()
    return (Finding("rows-outside-plan", f"there are rows that the plan does not have: {names(strangers)}"),)


def _slice_json(part: Standings) -> dict[str, Any]:
    return {"passed": part.passed, "n": part.n, "rate": part.rate, **_cap_json(part)}


def _cap_json(part: Standings) -> dict[str, Any]:
    """What travels with the rate of a slice that cannot be passed whole; without one the object is seed 002's."""
    return {"cap": {"most": part.most, "of": part.planned}} if part.caps else {}


def _finding_json(finding: Finding) -> dict[str, str]:
    return {"code": finding.code, "text": finding.text}


def _run_json(verdict: Verdict) -> dict[str, Any]:
    case = verdict.case
    return {
        "valid": verdict.valid,
        "partial": case.partial,
        "rows": case.tally.rows,
        "canaries": case.planned,
        "seeds": case.tally.seeds,
        "tool_surfaces": sorted(value for value in case.tally.values("tool_surface") if value is not None),
        "prompt_sha256": sorted(value for value in case.tally.values("prompt_sha256") if value is not None),
    }


def _interval_json(method: str, lower: float, upper: float) -> dict[str, Any]:
    return {
        "method": method,
        "lower": round(lower, 4),
        "upper": round(upper, 4),
        "z": Z,
        "sided": "two",
        "confidence": 0.95,
    }


def _wilson_json(part: Standings) -> dict[str, Any] | None:
    return _interval_json("wilson", *part.interval) | _cap_json(part) if part.n else None


def _gap_json(case: Case) -> dict[str, Any] | None:
    return _interval_json("newcombe", *case.gap_interval) if case.gap_interval is not None else None


def _traps_json(case: Case) -> dict[str, Any]:
    part = case.traps
    records = {canary: case.tally.records.get(canary) for canary in part.of}
    return {
        "sprung": list(part.ids(Standing.PASSED)),
        "held": list(part.ids(Standing.FAILED)),
        "not_exercised": list(part.ids(Standing.UNSCORED, Standing.MISSING)),
        "leak_detected": [canary for canary, record in records.items() if record is not None and record.leaked],
    }


def _baseline_json(case: Case) -> dict[str, Any] | None:
    if case.baseline is None:
        return None
    comparable = not case.differing
    return {
        "differing": list(case.differing),
        "stack_changed": list(case.changed_stack),
        "slices": _drops_json(case) if comparable else {},
    }


def _drops_json(case: Case) -> dict[str, Any]:
    pairs = zip(case.drops, case.measured, strict=True)
    return {str(drop.name): _drop_json(drop) | _cap_json(part) for drop, part in pairs}


def _drop_json(drop: Drop) -> dict[str, Any]:
    lost, gained = len(drop.lost), len(drop.gained)
    return {
        "n": drop.n,
        "lost": drop.lost,
        "gained": drop.gained,
        "recovered": drop.recovered,
        "unconfirmed": drop.unconfirmed,
        "unknown": sorted([*drop.unknown_was_passed, *drop.unknown_was_failed]),
        "not_compared": drop.changed,
        "drop": round((lost - gained) / drop.n, 4) if drop.n else None,
        "interval": _interval_json("tango", *tango(lost, gained, drop.n)) if drop.n else None,
        "mcnemar_one_sided": round(mcnemar(lost, gained), 6),
        "mcnemar_mid_p_one_sided": round(mcnemar_mid_p(lost, gained), 6),
    }


def _policy_json(policy: Policy) -> dict[str, Any]:
    return {
        "fail_under": None if policy.fail_under is None else decimal(policy.fail_under),
        "min_lower": None if policy.min_lower is None else decimal(policy.min_lower),
        "score_drop": decimal(policy.score_drop),
        "gap_limit": decimal(policy.gap_limit),
        "min_slice": policy.min_slice,
        "headline": policy.headline,
        "max_unscored": decimal(policy.max_unscored),
        "confirm_seeds": policy.confirm_seeds,
        "low_rate": decimal(policy.low_rate),
    }
