"""The rules of a verdict, one function each, in the order of seed 002 and then ours.

A rule blocks only where the blocker is certain, and holds only where it is certain that there is none: canaries that
measured nothing are counted as failed for the one and as passed for the other. What lies between is inconclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from gate.verdict.case import Case
from gate.verdict.drop import Drop, names
from gate.verdict.ruling import Answer, Ruling, decimal
from gate.verdict.slices import Standing, Standings
from gate.verdict.statistics import wilson_reaches

Rule = Callable[[Case], Iterator[Ruling]]

_OTHER_DIGESTS = (
    "card_sha256",
    "suite_sha256",
    "grader_sha256",
    "harness_sha256",
    "agent_sha256",
    "dataset_commit",
)


def _unless_partial(case: Case, answer: Answer) -> Answer:
    """A part of the suite cannot decide a rule about the whole; it is said and does not count."""
    return Answer.NOTED if case.partial is not None else answer


def _bounded(certain: bool, possible: bool) -> Answer:
    if certain:
        return Answer.BLOCKED
    return Answer.OPEN if possible else Answer.HELD


def one_surface(case: Case) -> Iterator[Ruling]:
    """All rows share one tool surface; without any row there is none, as in seed 002."""
    yield _one_value(case, "tool_surface", "mixed-surface", "one tool surface", "mixed tool_surface; split the report")


def one_prompt(case: Case) -> Iterator[Ruling]:
    """All rows share one prompt digest."""
    yield _one_value(case, "prompt_sha256", "mixed-prompt", "one prompt", "mixed prompt hash; freeze the template")


def _one_value(case: Case, field: str, code: str, rule: str, text: str) -> Ruling:
    waiting = case.plan is not None and not case.tally.rows
    if waiting or len(case.tally.values(field)) == 1:
        return Ruling(code, rule, Answer.OFF if waiting else Answer.HELD)
    return Ruling(code, rule, Answer.BLOCKED, text)


def slice_size(case: Case) -> Iterator[Ruling]:
    """Public and hidden have enough canaries for a headline. A policy without a headline only takes note."""
    least = case.policy.min_slice
    answer = _bounded(
        certain=any(part.planned < least for part in case.measured),
        possible=any(part.n < least for part in case.measured),
    )
    if answer is Answer.HELD:
        yield Ruling("small-slice", f"slices of at least {least}", answer)
        return
    sizes = ", ".join(f"{part.name} {part.n}{part.capped}" for part in case.measured)
    text = f"slice smaller than {least}; no headline"
    if answer is Answer.OPEN:
        text = f"fewer than {least} canaries were measured ({sizes}); no headline"
    if not case.policy.headline or case.partial is not None:
        answer = Answer.NOTED
    yield Ruling("small-slice", f"slices of at least {least}", answer, text)
    if answer is Answer.BLOCKED:
        yield Ruling("slice-sizes", "", Answer.NOTED, f"measured canaries: {sizes}; a headline needs {least} in each")


def gap(case: Case) -> Iterator[Ruling]:
    """The public rate is not above the hidden rate by more than the limit; asked of slices that are large enough."""
    public, hidden = case.measured
    limit = case.policy.gap_limit
    rule = f"public-hidden gap at most {decimal(limit)}"
    if any(part.planned < max(1, case.policy.min_slice) for part in case.measured):
        yield Ruling("gap", rule, Answer.OFF, f"asked from {case.policy.min_slice} canaries a slice")
        return
    answer = _bounded(
        certain=public.lowest - hidden.highest > limit,
        possible=public.highest - hidden.lowest > limit,
    )
    text = {
        Answer.BLOCKED: f"public-hidden gap {public.rate - hidden.rate:.2f} exceeds {decimal(limit)}{case.capped}",
        Answer.OPEN: f"canaries without a result leave open whether the gap exceeds {decimal(limit)}{case.capped}",
    }.get(answer, "")
    yield Ruling("gap", rule, answer if not text else _unless_partial(case, answer), text)


def traps(case: Case) -> Iterator[Ruling]:
    """There are traps, and none of them passed. A trap that was not measured has not held."""
    part = case.traps
    if not part.planned:
        yield Ruling("no-canaries", "no trap passes", _unless_partial(case, Answer.BLOCKED), "no canaries")
    elif part.passed:
        yield Ruling("canary-pass", "no trap passes", Answer.BLOCKED, f"{part.passed} canary passes")
    elif part.open:
        ids = names(part.ids(Standing.UNSCORED, Standing.MISSING))
        text = f"{part.open} of {part.planned} traps have not been exercised ({ids}); that is not the same as held"
        yield Ruling("trap-not-exercised", "no trap passes", Answer.OPEN, text)
    else:
        yield Ruling("canary-pass", "no trap passes", Answer.HELD)


def both_slices(case: Case) -> Iterator[Ruling]:
    """There is something to measure in both slices: a public rate alone measures memory as well as skill.

    Where `slice_size` has blocked an empty slice already, this only says which.
    """
    empty = [part.name for part in case.measured if not part.planned]
    if not empty:
        yield Ruling("no-hidden", "a public and a hidden slice", Answer.HELD)
        return
    told = case.policy.headline and case.policy.min_slice > 0
    blocks = not told and (case.policy.headline or len(empty) == len(case.measured))
    answer = _unless_partial(case, Answer.BLOCKED if blocks else Answer.NOTED)
    for name in empty:
        yield Ruling(f"no-{name}", "a public and a hidden slice", answer, f"no {name} canaries")


def other_digests(case: Case) -> Iterator[Ruling]:
    """Everything else that is hashed into a row is one value as well."""
    mixed = [name for name in _OTHER_DIGESTS if len(case.tally.values(name)) > 1]
    for name in mixed:
        yield Ruling("mixed-digest", "one of each digest", Answer.BLOCKED, f"mixed {name}; these are several runs")
    if case.tally.mixed_canaries:
        ids = names(sorted(case.tally.mixed_canaries))
        text = f"mixed canary_sha256 of {ids}; the canary changed between its rows"
        yield Ruling("mixed-digest", "one of each digest", Answer.BLOCKED, text)
    elif not mixed:
        yield Ruling("mixed-digest", "one of each digest", Answer.HELD)


def fail_under(case: Case) -> Iterator[Ruling]:
    """Each slice's rate is at least `fail_under`, public and hidden apart."""
    least = case.policy.fail_under
    if least is None:
        return
    for part in case.measured:
        if part.planned:
            answer = _bounded(certain=part.highest < least, possible=part.lowest < least)
            yield _rate_ruling(case, part, "fail-under", f"{part.name} at least {decimal(least)}", answer)


def min_lower(case: Case) -> Iterator[Ruling]:
    """Each slice's Wilson lower bound is at least `min_lower`, decided without rounding."""
    least = case.policy.min_lower
    if least is None:
        return
    for part in case.measured:
        if part.planned:
            answer = _bounded(
                certain=not wilson_reaches(part.passed + part.open, part.planned, least),
                possible=not wilson_reaches(part.passed, part.planned, least),
            )
            rule = f"{part.name} Wilson lower bound at least {decimal(least)}"
            yield _rate_ruling(case, part, "min-lower", rule, answer)


def _rate_ruling(case: Case, part: Standings, code: str, rule: str, answer: Answer) -> Ruling:
    if answer is Answer.HELD:
        return Ruling(code, rule, answer)
    count = f"{part.passed} of {part.planned} passed"
    if part.open:
        count += f" and {part.open} have no result"
    count += part.capped
    return Ruling(code, rule, _unless_partial(case, answer), f"{part.name}: {count}; wanted: {rule}")


def score_drop(case: Case) -> Iterator[Ruling]:
    """Against the baseline no slice lost more than `score_drop`, net of what it gained."""
    if case.baseline is None:
        yield Ruling("score-drop", "no score drop", Answer.OFF, "no baseline")
        return
    if case.changed_stack and case.tally.rows:
        text = f"against the baseline the stack changed: {', '.join(case.changed_stack)}"
        yield Ruling("stack-changed", "", Answer.NOTED, text)
    if case.differing and case.tally.rows:
        ways = ", ".join(case.differing)
        text = f"the baseline was measured otherwise (other {ways}), so a drop cannot be told; write a new baseline"
        yield Ruling("baseline-differs", "no score drop", _unless_partial(case, Answer.OPEN), text)
        return
    for drop, part in zip(case.drops, case.measured, strict=True):
        if part.planned:
            yield from _drop_rulings(case, drop, part.capped)


def _drop_rulings(case: Case, drop: Drop, capped: str) -> Iterator[Ruling]:
    limit = case.policy.score_drop
    rule = f"{drop.name} score drop at most {decimal(limit)}"
    if drop.changed:
        text = f"{drop.name}: no entry of the same digest in the baseline, not compared: {names(drop.changed)}"
        yield Ruling("baseline-gap", rule, Answer.NOTED if drop.n else _unless_partial(case, Answer.OPEN), text)
    if not drop.n:
        return
    if drop.recovered:
        text = f"{drop.name}: failed, and passed when run again, so not lost: {names(drop.recovered)}"
        yield Ruling("recovered", "", Answer.NOTED, text)
    answer = _bounded(certain=drop.lowest > limit, possible=drop.highest > limit)
    moved = _moved(drop)
    if answer is Answer.HELD:
        yield Ruling("score-drop", rule, answer)
        if moved:
            yield Ruling("baseline-change", "", Answer.NOTED, f"{drop.name}: {moved}")
        return
    text = f"{drop.name} {moved}, of {drop.n}{capped}: more than {decimal(limit)}"
    if answer is Answer.OPEN:
        text = f"{drop.name} {moved}, of {drop.n}{capped}: it is open whether that is more than {decimal(limit)}"
    yield Ruling("score-drop", rule, _unless_partial(case, answer), text)


def _moved(drop: Drop) -> str:
    unknown = [*drop.unknown_was_passed, *drop.unknown_was_failed]
    parts = [
        (drop.lost, "lost"),
        (drop.gained, "gained"),
        (drop.unconfirmed, "newly failing without a rerun to confirm it:"),
        (unknown, "without a result:"),
    ]
    return "; ".join(f"{word} {names(ids)}" for ids, word in parts if ids)


def everything_measured(case: Case) -> Iterator[Ruling]:
    """No row is missing, and no more canaries than `max_unscored` of the plan measured nothing."""
    missing = case.ids(Standing.MISSING)
    if missing:
        text = f"{len(missing)} of {case.planned} canaries have rows missing: {names(missing)}"
        yield Ruling("missing-rows", "every planned row is there", Answer.OPEN, text)
    elif case.plan is not None:
        yield Ruling("missing-rows", "every planned row is there", Answer.HELD)
    for part in case.measured:
        if part.planned and not part.n:
            text = f"none of the {part.planned} {part.name} canaries was measured"
            yield Ruling("nothing-measured", f"{part.name} measured at all", Answer.OPEN, text)
    unscored = case.ids(Standing.UNSCORED)
    limit = case.policy.max_unscored
    rule = f"at most {decimal(limit)} of the canaries unscored"
    if not unscored:
        yield Ruling("unscored", rule, Answer.HELD)
        return
    over = Fraction(len(unscored), case.planned) > limit
    text = f"{len(unscored)} of {case.planned} canaries measured nothing: {names(unscored)}"
    yield Ruling("unscored", rule, Answer.OPEN if over else Answer.NOTED, text)


def whole_run(case: Case) -> Iterator[Ruling]:
    """The whole suite ran, and it ran inside a fence."""
    if case.partial is not None:
        text = f"not the whole suite: {case.partial}"
        yield Ruling("partial", "the whole suite", Answer.OPEN, text)
    surfaces = [surface for surface in case.tally.values("tool_surface") if surface]
    if any("unsandboxed" in surface for surface in surfaces):
        text = "ran without a sandbox; such a run can never be clear"
        yield Ruling("unsandboxed", "a sandbox", Answer.OPEN, text)


def proven(case: Case) -> Iterator[Ruling]:
    """A headline needs graders that the last audit proved on this very suite. Rows by themselves know of no audit."""
    rule = "graders audited on this suite"
    if case.audit is None:
        yield Ruling("no-current-audit", rule, Answer.OFF, "these rows do not say whether their graders were audited")
    elif case.audit.current:
        yield Ruling("no-current-audit", rule, Answer.HELD)
    else:
        answer = _unless_partial(case, Answer.BLOCKED if case.policy.headline else Answer.NOTED)
        yield Ruling("no-current-audit", rule, answer, case.audit.text)


def remarks(case: Case) -> Iterator[Ruling]:
    """What decides nothing and should be known beside the numbers."""
    for part in case.measured:
        if part.caps:
            yield Ruling(
                "cap",
                "",
                Answer.NOTED,
                f"{part.name}: known to be unpassable: {names(part.caps)}; at most "
                f"{part.planned - len(part.caps)} of {part.planned} can pass",
            )
        beaten = [canary for canary in part.ids(Standing.PASSED) if canary in part.caps]
        if beaten:
            text = f"{part.name}: passed although known to be unpassable: {names(beaten)}; look at those first"
            yield Ruling("cap-beaten", "", Answer.NOTED, text)
        leaked = [canary for canary in part.of if (r := case.tally.records.get(canary)) and r.leaked]
        if leaked:
            text = f"{part.name}: the answer was in reach of the agent, counted as failed: {names(leaked)}"
            yield Ruling("leaked", "", Answer.NOTED, text)


RULES: tuple[Rule, ...] = (
    one_surface,
    one_prompt,
    slice_size,
    gap,
    traps,
    both_slices,
    other_digests,
    fail_under,
    min_lower,
    score_drop,
    everything_measured,
    whole_run,
    proven,
    remarks,
)
