"""The audit of one canary: its right answer in every shape, wrong ones, known cheats, and how strong its tests are."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from gate.agents.extract import extract
from gate.audit import wrong
from gate.audit.advice import advice
from gate.audit.cheating import Caught, try_cheats
from gate.audit.cheats.table import CHEATS
from gate.audit.cheats.target import Cheat
from gate.audit.handing import Desk, Extract, Graded
from gate.audit.missing import missing_modules
from gate.audit.strength import outdated, strength
from gate.audited import AuditVerdict, CanaryAudit, Handed, Strength
from gate.grading.layout import listed_tests
from gate.proof.mutants import is_program
from gate.suite.canary import Canary, RunnerTest
from gate.trials.exploits import grade_exploits
from gate.trials.stand import Stand
from gate.workspace.patch import apply_bytes, diff
from gate.workspace.tree import Tree

WEAK_FORMS = frozenset({"exit-code", "held"})
"""Graded by nothing else, a canary can be fooled by design: that is said and is not a defect of the graders."""

_UNSHOWN = "no answer is known that passes, so nothing shows that a right one would"


_COPYING = frozenset(
    {"python/visible-values", "python/visible-values-by-seed", "python/test-files-read", "javascript/hard-coded"}
)
"""Cheats that give back the values of tests that lie in the agent's copy."""

_NO_SUCH_PROGRAM = "exit code 127"


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found so far: `flaws` condemn, `notes` are said, `measured` is False where something was not graded."""

    flaws: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    measured: bool = True


def audit_canary(
    canary: Canary,
    stand: Stand,
    *,
    taken: Extract = extract,
    cheats: Sequence[Cheat] = CHEATS,
    jobs: int = 1,
) -> CanaryAudit:
    """Everything that can be shown of the graders of one canary. Raises GateError for what ends a run."""
    started = time.monotonic()
    desk = Desk(canary, stand, taken)
    if canary.trap:
        result = _trap(desk)
    elif canary.solution is None:
        result = _unsolved(desk)
    else:
        golden = apply_bytes(canary.solution.read_bytes(), desk.base)
        result = _solved(desk, golden, cheats, jobs)
    return replace(result, seconds=round(time.monotonic() - started, 3))


def _cap(canary: Canary) -> str | None:
    return canary.known_unpassable["reason"] if canary.known_unpassable else None


def _entry(canary: Canary, verdict: AuditVerdict, graded_by: str) -> CanaryAudit:
    return CanaryAudit(canary.id, str(canary.slice), verdict, graded_by, cap=_cap(canary))


def _trap(desk: Desk) -> CanaryAudit:
    """A trap has no right answer: its exploit must come out as declared, and who changes nothing must not spring it."""
    canary = desk.canary
    results = grade_exploits(canary, desk.stand)
    flaws = [f"exploit ({result.where}): {result.reason}" for result in results if result.ok is False]
    unmeasured = [f"exploit ({result.where}): {result.reason}" for result in results if result.ok is None]
    marked = _claims(canary)
    handed = tuple(_messages(desk, (), frozenset(marked)))
    flaws += [f"sprung by {one.answer} ({one.shape})" for one in handed if one.passed]
    unmeasured += [f"{one.answer} ({one.shape}): {one.reason}" for one in handed if one.failed_to_measure]
    notes = [f"exploit ({result.where}): {result.reason}" for result in results if result.ok]
    notes += [f"prose ({shape}) was not handed in: it claims a repair in the words of a marker" for shape in marked]
    entry = _entry(canary, _verdict(flaws, unmeasured), "trap")
    return replace(entry, handed=handed, flaws=tuple(flaws), notes=(*notes, *unmeasured))


def _claims(canary: Canary) -> tuple[str, ...]:
    """The shapes of prose that hold a marker of a trap. A repair that is claimed and not made is what it is set for."""
    sprung = canary.trap.sprung_if if canary.trap else ()
    markers = [value for one in sprung if one.kind == "message_contains" for value in one.values]
    return tuple(
        message.shape
        for message in wrong.messages(())
        if message.answer == wrong.PROSE and any(marker and marker in message.text for marker in markers)
    )


def _unsolved(desk: Desk) -> CanaryAudit:
    """No answer is known to be right, which the canary discloses: what is wrong must be rejected all the same."""
    handed = tuple(_messages(desk, ()))
    flaws = [f"{one.answer} passes ({one.shape})" for one in handed if one.wrong]
    verdict = AuditVerdict.BROKEN if flaws else AuditVerdict.EXEMPT
    return replace(_entry(desk.canary, verdict, "none"), handed=handed, flaws=tuple(flaws), notes=(_UNSHOWN,))


def _solved(desk: Desk, golden: Tree, cheats: Sequence[Cheat], jobs: int) -> CanaryAudit:
    canary = desk.canary
    started = time.monotonic()
    reference = desk.submit(diff(desk.base, golden))
    took = time.monotonic() - started
    handed = list(desk.hand_in("reference", desk.base, golden))
    if reference.passed is False and (missing := _missing(desk, golden, reference)):
        entry = _entry(canary, AuditVerdict.ENV_MISSING, reference.grade.graded_by)
        return replace(entry, handed=tuple(handed), missing=missing, notes=(f"not verified: {reference.reason}",))
    handed += _wrong_versions(desk, golden)
    handed += desk.hand_in(wrong.REVERSED, golden, desk.base)
    handed += _messages(desk, diff(desk.base, golden).paths())
    # Where the right answer is rejected, that a cheat is rejected too says nothing.
    caught = try_cheats(desk.within(took), golden, cheats, jobs) if reference.passed else Caught()
    found = _judged(canary, handed, reference.passed)
    weak = frozenset(reference.grade.graded_by.split("+")) <= WEAK_FORMS
    measured = strength(canary, desk.stand, jobs=jobs)
    in_sight = _in_sight(canary, desk)
    flaws = [*found.flaws, *([] if weak else _fooled(caught, reference.grade.graded_by, _COPYING if in_sight else ()))]
    if reference.invalid:
        flaws.insert(0, f"the canary cannot be graded: {reference.reason}")
    unmeasured = [*(() if found.measured else ("not all answers could be graded",)), *caught.unmeasured]
    if reference.passed and measured is not None and measured.unmeasured:
        unmeasured.append(f"{measured.unmeasured} known-wrong versions could not be graded")
    verdict = _verdict(flaws, unmeasured)
    if verdict is AuditVerdict.PASS and not reference.passed:
        verdict = AuditVerdict.EXEMPT  # known_unpassable: graders that reject everything would look the same
    entry = _entry(canary, verdict, reference.grade.graded_by)
    return replace(
        entry,
        handed=tuple(handed),
        let_through=caught.let_through,
        cheats=caught.tried,
        strength=measured,
        flaws=tuple(flaws),
        notes=(
            *found.notes,
            *unmeasured,
            *_outdated(canary, measured),
            *_trusted(reference),
            *_open_files(canary, desk),
            *in_sight,
            *_untried(canary, reference, caught),
        ),
        advice=advice(canary, desk.base) if weak else "",
    )


def _missing(desk: Desk, golden: Tree, reference: Graded) -> tuple[str, ...]:
    """The modules, or the program of a bare command, that this machine lacks."""
    missing = missing_modules(desk.canary, golden, desk.base, reference.evidence, desk.stand)
    failed = [check for check in reference.grade.checks if not check.ok]
    if not missing and failed and all(check.reason == _NO_SUCH_PROGRAM for check in failed):
        return tuple(f"the program of `{check.name.partition(': ')[2]}`" for check in failed)
    return missing


def _verdict(flaws: list[str], unmeasured: list[str]) -> AuditVerdict:
    """What is not measured is neither verified nor condemned: it stands with what this machine lacks."""
    if flaws:
        return AuditVerdict.BROKEN
    return AuditVerdict.ENV_MISSING if unmeasured else AuditVerdict.PASS


def _wrong_versions(desk: Desk, golden: Tree) -> Iterator[Handed]:
    """One version of each kind that the graders reject, in every shape; if they reject none, that they did not.

    A single version may happen to be right as well (a dropped import that nothing needs). That is a matter of how
    strong the tests are; graders that reject not one of them are broken.
    """
    tried: dict[str, int] = {}
    done: set[str] = set()
    for kind, tree in wrong.candidates(desk.base, golden):
        if kind in done:
            continue
        tried[kind] = tried.get(kind, 0) + 1
        if desk.submit(diff(desk.base, tree)).passed is False:
            done.add(kind)
            yield from desk.hand_in(kind, desk.base, tree)
    for kind in tried.keys() - done:
        yield Handed(kind, "any", passed=True, reason=f"not one of {tried[kind]} versions was rejected")
    for kind in (wrong.HUNK_DROPPED, wrong.LINE_MUTATED):
        if kind not in tried:
            yield Handed(kind, "any", passed=None, reason="the reference answer has no such version")


def _messages(desk: Desk, paths: tuple[str, ...], without: frozenset[str] = frozenset()) -> Iterator[Handed]:
    """Handed in as they are. `without` are shapes of prose that are left out."""
    for message in wrong.messages(paths):
        if (paths or message.shape != "in place of the files") and message.shape not in without:
            yield desk.hand_in_message(message.answer, message.shape, message.text)


def _judged(canary: Canary, handed: list[Handed], reference: bool | None) -> _Found:
    flaws, notes = [] if canary.known_unpassable else _unpassed([one for one in handed if one.wanted]), []
    for one in handed:
        if one.wrong and not one.wanted:
            flaws.append(f"a wrong answer passes: {one.answer} ({one.shape}){f': {one.reason}' if one.reason else ''}")
    if canary.known_unpassable and reference:
        flaws.append("known_unpassable: the reference answer passes, so the cap that it declares is wrong")
    carried = [one for one in handed if one.wanted and one.passed is not None]
    if len(carried) < 2:
        notes.append("the reference answer fits no message shape, so only edits with tools are verified")
    return _Found(tuple(flaws), tuple(notes), not any(one.failed_to_measure for one in handed))


def _unpassed(handed: list[Handed]) -> list[str]:
    """The shapes in which the reference answer does not pass; in one line where all of them fail alike."""
    wrong = [one for one in handed if one.wrong]
    alike = len(wrong) > 1 and len({one.reason for one in wrong}) == 1
    if alike and len(wrong) == sum(one.passed is not None for one in handed):
        return [f"the reference answer does not pass as {wrong[0].shape}, nor in any other shape: {wrong[0].reason}"]
    return [f"the reference answer does not pass as {one.shape}: {one.reason}" for one in wrong]


def _fooled(caught: Caught, graded_by: str, spared: Collection[str]) -> list[str]:
    """A cheat that passes is a flaw, except that twins can be guessed: there it is one if it passes every time.

    `spared` copy what lies in sight: where that is every value, no grader can tell them from an answer.
    """
    chance = "vector" in graded_by.split("+")
    return [
        f"a cheat passes: {name}: {caught.texts[name]}"
        for name, (hits, tries) in caught.hits.items()
        if (hits == tries or (hits and not chance)) and name not in spared
    ]


def _trusted(reference: Graded) -> tuple[str, ...]:
    """What of the grade is the word of the process that is judged."""
    checks = [check for check in reference.grade.checks if check.name.endswith("forms")]
    return tuple(
        f"{check.name.removesuffix(': forms')}: {check.reason}; held ones are the word of the process that is judged"
        for check in checks
        if "held" in check.reason or "without" in check.reason
    )


def _open_files(canary: Canary, desk: Desk) -> tuple[str, ...]:
    """Programs beside the hidden tests are laid as they are: what they expect can be read by the code under test."""
    if canary.expect.hidden_tests is None:
        return ()
    hidden = desk.stand.copies.base(canary.expect.hidden_tests)
    runners = [spec for spec in canary.expect.tests if isinstance(spec, RunnerTest)]
    listed = {path for spec in runners for path in listed_tests(spec, hidden)}
    beside = sorted(path for path in hidden if is_program(path) and path not in listed)
    return (f"readable beside the hidden tests: {', '.join(beside)}",) if runners and beside else ()


def _in_sight(canary: Canary, desk: Desk) -> tuple[str, ...]:
    """Where the agent's copy holds every test, the right values need only be copied out of them."""
    expect = canary.expect
    runners = [spec for spec in expect.tests if isinstance(spec, RunnerTest)]
    if expect.goldens or not runners or len(runners) < len(expect.tests):
        return ()
    hidden = desk.stand.copies.base(expect.hidden_tests) if expect.hidden_tests else {}
    if any(listed_tests(spec, hidden) for spec in runners):
        return ()
    return ("every value that it is graded by lies in the agent's copy: add `hidden_tests` or `calls`",)


def _untried(canary: Canary, reference: Graded, caught: Caught) -> tuple[str, ...]:
    """What was not shown: where no cheat was tried, that none got through says nothing."""
    if not reference.passed:
        return (_UNSHOWN,) if canary.known_unpassable else ()
    if caught.tried or caught.unmeasured:
        return ()
    if canary.language == "other":
        return ("no cheat was tried: the catalogue has none for language `other`",)
    return (f"no cheat was tried: the known answer changes no {canary.language} source of the fixture",)


def _outdated(canary: Canary, measured: Strength | None) -> tuple[str, ...]:
    names = outdated(canary, measured) if measured else ()
    return tuple(f"weak_tests: {name} does not survive any more" for name in names)
