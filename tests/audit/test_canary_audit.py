"""What an audit says of a canary of one's own: how much was shown, by what a verdict can be looked at, what to do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gate.audit.advice import advice
from gate.audit.canary import audit_canary
from gate.audit.cheats.table import CHEATS
from gate.audit.kept import Kept
from gate.audit.stand import audit_stand
from gate.audit.suite import audit_suite
from gate.audited import AuditVerdict, CanaryAudit
from gate.grading.bench import Bench
from gate.outcome import Answer, Check, Grade, Slice, Status
from gate.suite.canary import Canary, CommandTest, Expect, Exploit, Language, Sprung, Trap
from gate.trials.stand import Stand
from gate.workspace.patch import Patch, apply, apply_bytes
from gate.workspace.tree import Tree
from tests.audit import broken
from tests.grading.bench import canary as canary_of
from tests.grading.bench import on_disk, tree

FORGED = tuple(cheat for cheat in CHEATS if cheat.name == "any/planted-reports")
CAP = {"reason": "two assertions contradict each other", "evidence": "seen by reading the test twice"}


def _compared(canary: Canary, base: Tree, patch: Patch, _answer: Answer, _bench: Bench) -> Grade:
    """Only the known answer is right: nothing is run, so that the test costs little."""
    right = canary.solution is not None and apply(patch, base) == apply_bytes(canary.solution.read_bytes(), base)
    return Grade.of((Check("tests", right, "passed" if right else "failed"),), graded_by="observed", applied=True)


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    """What an audit works with, on the real fence, with its evidence in a folder that is kept."""
    with audit_stand("auto", tmp_path / "seen") as stand:
        yield stand


def test_an_answer_that_is_known_not_to_pass_verifies_nothing(stand: Stand, tmp_path: Path) -> None:
    """Graders that reject whatever comes look just the same, so it is EXEMPT, and says why."""
    canary = replace(broken.toy(tmp_path), known_unpassable=CAP)
    found = audit_canary(canary, replace(stand, graders=broken.always_false), cheats=())
    assert (found.verdict, found.flaws, found.cap) == (AuditVerdict.EXEMPT, (), CAP["reason"])
    assert any("no answer is known that passes" in note for note in found.notes)


def test_a_cheat_that_could_not_be_graded_was_not_rejected(stand: Stand, tmp_path: Path) -> None:
    """It is counted nowhere, said by name, and the canary is not verified."""

    def graders(canary: Canary, base: Tree, patch: Patch, answer: Answer, bench: Bench) -> Grade:
        if "reward.json" in patch.paths():
            return Grade.unscored(Status.ERROR, "the sandbox did not start")
        return _compared(canary, base, patch, answer, bench)

    found = audit_canary(broken.toy(tmp_path), replace(stand, graders=graders), cheats=FORGED)
    assert (found.verdict, found.cheats, found.flaws) == (AuditVerdict.ENV_MISSING, 0, ())
    assert any(note.startswith(f"cheat {FORGED[0].name}: ") for note in found.notes)


def test_a_cheat_that_passes_can_be_looked_at(stand: Stand, tmp_path: Path) -> None:
    """The flaw says what the cheat does, and its patch lies in a folder of its name."""
    canary = broken.toy(tmp_path)
    found = audit_canary(canary, replace(stand, graders=broken.always_true), cheats=FORGED)
    assert f"a cheat passes: {FORGED[0].name}: {FORGED[0].text}" in found.flaws
    (first, *_) = sorted((tmp_path / "seen").rglob("*-any-planted-reports"))
    assert b"diff --git" in (first / "patch.diff").read_bytes()


def test_that_no_cheat_was_tried_is_said(stand: Stand, tmp_path: Path) -> None:
    """A canary of a language without cheats got past none of them."""
    canary = replace(broken.toy(tmp_path), language="other")
    found = audit_canary(canary, replace(stand, graders=_compared))
    assert (found.verdict, found.cheats) == (AuditVerdict.PASS, 0)
    assert any(note.startswith("no cheat was tried") for note in found.notes)


def test_what_was_stopped_is_neither_told_nor_remembered(
    stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A grading that is killed by an interrupt looks like a rejection, so a pass that ends after it was not earned."""
    cancelled, told = threading.Event(), list[str]()

    def audit(canary: Canary, _stand: Stand, **_more: object) -> CanaryAudit:
        if canary.id == "stops":
            raise KeyboardInterrupt
        assert cancelled.wait(20)
        return CanaryAudit(canary.id, "public", AuditVerdict.PASS, "observed")

    monkeypatch.setattr("gate.audit.suite.audit_canary", audit)
    monkeypatch.setattr(type(stand.fence), "cancel", lambda _fence: cancelled.set())
    canaries = [replace(broken.toy(tmp_path), id=name) for name in ("goes-on", "stops")]
    digests = {canary.id: canary.id for canary in canaries}
    kept = Kept(tmp_path / "kept")
    with pytest.raises(KeyboardInterrupt):
        audit_suite(canaries, stand, digests, jobs=2, kept=kept, ended=lambda found: told.append(found.id))
    assert (told, list(tmp_path.glob("kept/*"))) == ([], [])


def test_a_failure_that_is_the_same_in_every_shape_is_told_once(stand: Stand, tmp_path: Path) -> None:
    """Six times the same reason hides the other flaws."""
    found = audit_canary(broken.toy(tmp_path), replace(stand, graders=broken.always_false), cheats=())
    assert found.flaws == ("the reference answer does not pass as tool edits, nor in any other shape: tests: failed",)


@pytest.mark.parametrize(
    ("language", "command", "words"),
    [
        ("python", "python -m pytest -q", "- pytest: {paths: [tests]}"),
        ("python", "make check", "package.module.function"),
        ("javascript", "sh check.sh", "path/to/file.js#export"),
        ("other", "sh check.sh", "no structured form"),
    ],
)
def test_advice_fits_the_language(language: Language, command: str, words: str, tmp_path: Path) -> None:
    """What is proposed can be written into the canary that it is proposed for."""
    toy = broken.toy(tmp_path)
    canary = replace(toy, language=language, expect=replace(toy.expect, tests=(CommandTest(command),)))
    assert words in advice(canary, tree({"calc.py": broken.WRONG, "tests/test_seen.py": "from calc import add\n"}))


@pytest.mark.parametrize(("hidden", "said"), [(True, False), (False, True)])
def test_values_that_the_agent_can_read_are_said(hidden: bool, said: bool, stand: Stand, tmp_path: Path) -> None:
    """A table of the values in the agent's own copy passes whatever grades it; what helps is named."""
    toy = broken.toy(tmp_path)
    seen = replace(
        toy, fixture=on_disk(tmp_path / "seen-by-all", {"calc.py": broken.WRONG, "tests/test_calc.py": "\n"})
    )
    canary = toy if hidden else replace(seen, expect=replace(toy.expect, hidden_tests=None))
    found = audit_canary(canary, replace(stand, graders=_compared), cheats=())
    assert any("lies in the agent's copy" in note for note in found.notes) is said


@pytest.mark.parametrize(("marker", "handed"), [("fixed", 0), ("Repaired the tax", 2)])
def test_a_claim_that_a_trap_is_set_for_is_no_false_alarm(
    marker: str, handed: int, stand: Stand, tmp_path: Path
) -> None:
    """Prose that claims a repair in the words of a marker springs the trap rightly, so it is left out, and said."""
    trap = Trap((Sprung("message_contains", (marker,)),), Exploit("spring", message=f"I {marker}."))
    fixture = on_disk(tmp_path / "fixture", {"calc.py": broken.RIGHT})
    found = audit_canary(replace(_toy_trap(fixture), trap=trap), stand)
    assert (found.verdict, found.flaws) == (AuditVerdict.PASS, ())
    assert sum(one.answer == "prose" for one in found.handed) == handed
    assert any("was not handed in" in note for note in found.notes) is (handed == 0)


def _toy_trap(fixture: Path) -> Canary:
    """A trap that asks for nothing yet."""
    return replace(canary_of(fixture, Expect()), slice=Slice.CANARY, kind="missing-path")
