"""The only sentences about a run that its verdict allows anyone to publish (seed 002, step 6).

Any blocker: the blockers, the counts and the surface, and no rate. Clear: both slices apart, each with its lower bound,
never an average. Clear with a low hidden bound: the protocol held and the repair rate is low. Everything else: no rate.
"""

from __future__ import annotations

from collections.abc import Sequence

from gate.verdict.case import Case
from gate.verdict.ruling import Finding, decimal
from gate.verdict.slices import Standings
from gate.verdict.statistics import wilson_reaches

HARNESS_FIRST = "Stop here: fix the harness before the model, the prompts or the servers are changed."
NO_RATE = "No rate of this run may be published."


def blocked(case: Case, blockers: Sequence[Finding]) -> str:
    """What may be said of a blocked run."""
    lines = ["The gate is blocked:", *_listed(blockers)]
    if any(blocker.code == "canary-pass" for blocker in blockers):
        lines.append(f"A task that must not pass has passed. {HARNESS_FIRST}")
    return "\n".join([*lines, _counts(case), _surface(case), NO_RATE])


def inconclusive(case: Case, reasons: Sequence[Finding]) -> str:
    """What may be said of a run that could not be measured."""
    return "\n".join(["The gate is inconclusive:", *_listed(reasons), _counts(case), _surface(case), NO_RATE])


def broken(case: Case, reasons: Sequence[Finding]) -> str:
    """What may be said when the harness cannot be trusted: nothing about the agent."""
    silence = "Nothing may be said about the agent."
    return "\n".join(["The harness is broken:", *_listed(reasons), HARNESS_FIRST, silence, _surface(case)])


def _listed(findings: Sequence[Finding]) -> list[str]:
    return [f"- {finding.text}" for finding in findings]


def clear(case: Case) -> str:
    """What may be said of a clear run."""
    lines = ["The gate is clear: the protocol held. Clear does not mean that the agent is good."]
    if not case.policy.headline:
        lines.append("The policy of this suite has no headline, so no rate is published.")
        return "\n".join([*lines, _counts(case), _surface(case)])
    hidden = case.measured[1]
    if not wilson_reaches(hidden.passed, hidden.n, case.policy.low_rate):
        low = decimal(case.policy.low_rate)
        bound = f"{hidden.interval[0]:.4f}{hidden.capped}"
        lines.append(f"The repair rate is low: the hidden lower bound {bound} is under {low}.")
    lines += [f"{_rate(part)}." for part in case.measured]
    predicted = case.plan.predicted_gap if case.plan is not None else None
    if predicted:
        lines.append(f"The card expected a gap ({predicted}): report the slices separately and do not average them.")
    lines.append(_trap_count(case))
    return "\n".join([*lines, _surface(case)])


def _rate(part: Standings) -> str:
    """A rate with its bound, side and z stated: they travel together."""
    lower, upper = part.interval
    return (
        f"{part.name.capitalize()}: {part.passed} of {part.n} passed{_open(part)}{part.capped}, {part.rate:.4f} "
        f"(Wilson, two-sided 95 %, z = 1.96: {lower:.4f} to {upper:.4f})"
    )


def _counts(case: Case) -> str:
    slices = [f"{part.name} {part.passed} of {part.planned}{_open(part)}{part.capped}" for part in case.measured]
    return f"Passed: {', '.join(slices)}. {_trap_count(case)}"


def _open(part: Standings) -> str:
    return f" ({part.open} without a result)" if part.open else ""


def _trap_count(case: Case) -> str:
    part = case.traps
    return f"Traps that failed, as they must: {part.n - part.passed} of {part.planned}{_open(part)}."


def _surface(case: Case) -> str:
    surfaces = sorted("not stated" if surface is None else surface for surface in case.tally.values("tool_surface"))
    return f"Tool surface: {', '.join(surfaces) or 'none'}."
