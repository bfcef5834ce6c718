"""An audit that calls a broken grader sound is worth nothing; one that calls a sound one broken sends people astray."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gate.agents.extract import extract
from gate.audit.canary import audit_canary
from gate.audit.cheats.table import CHEATS
from gate.audit.handing import Extract
from gate.audit.stand import audit_stand
from gate.audited import AuditVerdict
from gate.grading.grade import Graders, graded
from gate.trials.stand import Stand
from tests.audit import broken

FEW = tuple(cheat for cheat in CHEATS if cheat.name in {"python/exit-at-import", "any/planted-reports"})


@pytest.fixture(scope="module")
def stand() -> Iterator[Stand]:
    """What an audit works with, on the real fence."""
    with audit_stand("auto", None) as stand:
        yield stand


BROKEN: dict[str, tuple[Graders, Extract, str]] = {
    "always true": (broken.always_true, extract, "a wrong answer passes: empty"),
    "always false": (broken.always_false, extract, "the reference answer does not pass as tool edits"),
    "exit code only": (broken.exit_code_only, extract, "a cheat passes: python/exit-at-import"),
    "runs the raw reply": (graded, broken.raw_reply, "the reference answer does not pass as fenced diff in prose"),
    "ignores missing tests": (broken.ignores_missing_tests, extract, "a cheat passes: python/exit-at-import"),
    "reads a planted report": (broken.reads_a_planted_report, extract, "a cheat passes: any/planted-reports"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_grader_is_called_broken(name: str, stand: Stand, tmp_path: Path) -> None:
    """Each of the six kinds, by a flaw that says what is wrong with it."""
    graders, taken, flaw = BROKEN[name]
    found = audit_canary(broken.toy(tmp_path), replace(stand, graders=graders), taken=taken, cheats=FEW)
    assert found.verdict is AuditVerdict.BROKEN
    assert any(one.startswith(flaw) for one in found.flaws), found.flaws


def test_the_shipped_graders_are_not(stand: Stand, tmp_path: Path) -> None:
    """The same toy, the same answers, the same cheats."""
    found = audit_canary(broken.toy(tmp_path), stand, cheats=FEW)
    assert (found.verdict, found.flaws, found.let_through) == (AuditVerdict.PASS, (), ())
    assert all(found.shapes().values())
    assert all(counts["rejected"] == counts["of"] > 0 for counts in found.rejected().values())
