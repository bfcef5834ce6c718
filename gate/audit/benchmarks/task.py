"""One row's task through the same hands as a canary: a fixture on disk, answers in every shape, our own graders."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from gate.audit.benchmarks.known import KNOWN_UNPASSABLE, Known
from gate.audit.benchmarks.recipe import Recipe, Task
from gate.audit.handing import Desk, Graded
from gate.audit.missing import missing_modules
from gate.audit.wrong import messages
from gate.audited import AuditVerdict, Handed
from gate.outcome import Slice
from gate.suite.canary import Budget, Canary, Expect
from gate.trials.folder import RunFolder
from gate.trials.stand import Stand
from gate.workspace.copy import Copies
from gate.workspace.patch import diff, to_bytes
from gate.workspace.tree import write

WRONG = "wrong"
TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of one task. `shapes`: whether the reference passed in each; `rejected`: whether all answers of a
    wrong kind were rejected. `excluded` is the reason of a disclosure that held."""

    task: str
    verdict: AuditVerdict
    reason: str = ""
    graded_by: str = ""
    shapes: dict[str, bool | None] = field(default_factory=dict)
    rejected: dict[str, bool] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    excluded: str = ""


def audit_task(bench: str, name: str, task: Task, recipe: Recipe, stand: Stand) -> Found:
    """Hand in what is right and what is wrong, and judge the graders by what they say. Raises GateError."""
    with place_for(stand, bench, name) as place:
        desk = desk_for(place, bench, name, task, recipe, stand)
        reference = desk.submit(diff(task.base, task.golden))
        handed = desk.hand_in("reference", task.base, task.golden)
        handed += desk.hand_in(WRONG, task.base, task.wrong)
        handed += _messages(desk, task)
        found = _judged(bench, name, desk, task, reference, handed)
        place.keep = found.verdict is not AuditVerdict.PASS
        return found


def _messages(desk: Desk, task: Task) -> Iterator[Handed]:
    for message in messages(diff(task.base, task.golden).paths()):
        yield desk.hand_in_message(message.answer, message.shape, message.text)


@dataclass(slots=True)
class Place:
    """A folder for one task. What was handed in and what the graders saw is kept where it came out wrong."""

    root: Path
    keep: bool = True


@contextmanager
def place_for(stand: Stand, bench: str, name: str) -> Iterator[Place]:
    root = Path(tempfile.mkdtemp(prefix="b-", dir=stand.scratch))
    place = Place(root)
    try:
        yield place
        if place.keep and (root / "evidence").is_dir():
            shutil.copytree(root / "evidence", stand.folder.root / "bench" / bench / _slug(name), dirs_exist_ok=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]", "-", name)[:100].lstrip(".") or "task"


def desk_for(place: Place, bench: str, name: str, task: Task, recipe: Recipe, stand: Stand) -> Desk:
    root = place.root
    write(task.base, root / "fixture")
    expect = Expect(tests=task.tests)
    if task.hidden:
        write(task.hidden, root / "hidden")
        expect = replace(expect, hidden_tests=root / "hidden")
    if task.golden_only:
        (root / "answer.diff").write_bytes(to_bytes(diff(task.base, task.golden)))
        expect = replace(expect, goldens=(root / "answer.diff",))
    canary = Canary(
        id=_slug(name),
        slice=Slice.PUBLIC,
        kind=bench,
        language=task.language,
        source=root / "task.yaml",
        fixture=root / "fixture",
        prompt=task.prompt,
        budget=Budget(timeout_s=TIMEOUT_S),
        expect=expect,
    )
    # Copies of its own: those of the stand remember every fixture, and a row may be a whole repository.
    copies = Copies(stand.scratch, owner=stand.copies.owner, overlay=False, fresh=stand.copies.fresh)
    own = replace(stand, copies=copies, folder=RunFolder(root / "evidence"))
    return Desk(canary, own, recipe.extract, (), recipe.shapes)


def _judged(bench: str, name: str, desk: Desk, task: Task, reference: Graded, handed: list[Handed]) -> Found:
    rejected: dict[str, bool] = {}
    for one in handed:
        if not one.wanted and one.passed is not None:
            rejected[one.answer] = rejected.get(one.answer, True) and not one.passed
    shapes = {one.shape: one.passed for one in handed if one.wanted}
    found = Found(name, AuditVerdict.PASS, "", reference.grade.graded_by, shapes, rejected)
    accepted = [one for one in handed if one.wrong and not one.wanted]
    failed = [one for one in handed if one.wrong and one.wanted]
    lost = [one for one in handed if one.failed_to_measure]
    if accepted:
        kinds = ", ".join(sorted({f"{one.answer} ({one.shape})" for one in accepted}))
        return replace(found, verdict=AuditVerdict.BROKEN, reason=f"what is wrong passes: {kinds}")
    if reference.invalid:
        return replace(found, verdict=AuditVerdict.BROKEN, reason=f"cannot be graded: {reference.reason}")
    if reference.passed is False:
        return _failed(bench, name, desk, task, reference, found)
    if failed:
        first = f"{failed[0].shape}: {failed[0].reason}"
        reason = f"the reference answer does not pass in {len(failed)} shapes, first {first}"
        return replace(found, verdict=AuditVerdict.BROKEN, reason=reason)
    if reference.passed is None or lost:
        reason = reference.reason if reference.passed is None else lost[0].reason
        return replace(found, verdict=AuditVerdict.ENV_MISSING, reason=reason, missing=(f"not measured: {reason}",))
    return found


def _failed(bench: str, name: str, desk: Desk, task: Task, reference: Graded, found: Found) -> Found:
    """The reference answer does not pass: this machine's lack, a disclosure that holds, or broken."""
    missing = missing_modules(desk.canary, task.golden, task.base, reference.evidence, desk.stand)
    if missing:
        return replace(found, verdict=AuditVerdict.ENV_MISSING, reason=f"needs {', '.join(missing)}", missing=missing)
    known = KNOWN_UNPASSABLE.get(bench, {}).get(name)
    if known is not None and not known.thin and _says(known, reference):
        return replace(found, verdict=AuditVerdict.EXEMPT, reason=known.reason, excluded=known.reason)
    return replace(found, verdict=AuditVerdict.BROKEN, reason=f"the reference answer fails: {reference.reason}")


def _says(known: Known, reference: Graded) -> bool:
    return any(known.sign in reason for reason in reference.grade.reasons())
