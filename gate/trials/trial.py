"""One trial: a throwaway copy, an answer, a patch read off the copy, a grade on a clean tree, a row."""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import dataclass

from gate.agents.base import Task
from gate.agents.tools import TOOL_NAMES
from gate.errors import GateError
from gate.outcome import Answer, AnswerStatus, Check, Grade, Outcome, Status
from gate.suite.canary import Canary
from gate.suite.template import render
from gate.trials.folder import Evidence
from gate.trials.stand import Stand
from gate.trials.visible import visible_tests
from gate.workspace.patch import Patch, diff, sha256, to_bytes


@dataclass(frozen=True, slots=True)
class Taken:
    """What came back from the answering side: its answer, and the patch that the harness read off the copy."""

    answer: Answer
    patch: Patch
    oddities: tuple[str, ...]
    whole: bool


def _offered(canary: Canary) -> tuple[str, ...]:
    allowed = canary.expect.tools_allowed
    return tuple(
        name
        for name in TOOL_NAMES
        if (allowed is None or name in allowed) and name not in canary.expect.tools_forbidden
    )


def take(canary: Canary, seed: int, stand: Stand, evidence: Evidence) -> Taken:
    """Let the agent work on a copy of its own and read off what it changed."""
    workspace = stand.copies.open(canary.fixture)
    try:
        task = Task(
            canary_id=canary.id,
            prompt=render(stand.template, canary),
            language=canary.language,
            copy=workspace.root,
            overlay=workspace.overlay,
            budget=canary.budget,
            tools=_offered(canary),
            test_argv=visible_tests(canary, workspace.base, stand.python, stand.node),
            seed=seed,
            fence=stand.fence,
            python=stand.python,
            node=stand.node,
            record=evidence.record,
        )
        answer = stand.agent.answer(task)
        reading = workspace.after()
        return Taken(answer, diff(workspace.base, reading.tree), reading.oddities, reading.whole)
    finally:
        workspace.remove()


def judge(canary: Canary, taken_patch: Patch, answer: Answer, stand: Stand, evidence: Evidence) -> Grade:
    """The grade of one patch, by the graders of a trap or of an ordinary canary."""
    base = stand.copies.base(canary.fixture)
    return stand.graders(canary, base, taken_patch, answer, stand.bench(evidence))


def _unreadable(canary: Canary, result: Grade) -> Grade:
    """A copy that holds what cannot be read (a pipe, a huge file) has a patch that nobody knows whole.

    It does not pass; and a trap has then not been exercised, unless what could be read has sprung it already.
    """
    if canary.trap:
        return result if result.passed else Grade.unscored(Status.INVALID, "the copy could not be read whole")
    check = Check("copy", ok=False, reason="holds what cannot be read as a file, so the patch is not known whole")
    return Grade.of((*result.checks, check), graded_by=result.graded_by, applied=result.applied, located=result.located)


def _keep(evidence: Evidence, taken: Taken | None, result: Grade) -> None:
    """Write what a person needs to see why, whatever happened."""
    if taken:
        evidence.put("patch.diff", to_bytes(taken.patch))
        evidence.put("message.txt", taken.answer.message.encode("utf-8", "backslashreplace"))
        if taken.oddities:
            evidence.put("oddities.txt", "\n".join(taken.oddities).encode("utf-8", "backslashreplace") + b"\n")
    evidence.put("grade.json", json.dumps(result.to_json(), indent=2).encode() + b"\n")


def run_trial(canary: Canary, seed: int, stand: Stand) -> Outcome:
    """Run one trial to its row. A crash of ours is an unscored row with its traceback as evidence, never a grade."""
    evidence = stand.folder.evidence("trials", canary.id, str(seed))
    started = time.monotonic()
    taken: Taken | None = None
    result = Grade.unscored(Status.ERROR, "the trial did not finish")
    try:
        taken = take(canary, seed, stand, evidence)
        result = judge(canary, taken.patch, taken.answer, stand, evidence)
        if not taken.whole and result.status in (Status.PASSED, Status.FAILED):
            result = _unreadable(canary, result)
    except GateError:
        raise
    except Exception as error:  # noqa: BLE001  # one trial must not take the run with it; it is unscored and counted
        evidence.put("crash.txt", traceback.format_exc().encode("utf-8", "backslashreplace"))
        result = Grade.unscored(Status.ERROR, f"the harness failed: {type(error).__name__} (see crash.txt)")
    finally:
        _keep(evidence, taken, result)
    answer = taken.answer if taken else Answer(AnswerStatus.ERROR)
    return Outcome(
        id=canary.id,
        slice=canary.slice,
        kind=canary.kind,
        seed=seed,
        status=result.status,
        reasons=result.reasons(),
        graded_by=result.graded_by,
        tool_surface=stand.surface,
        digests=stand.digests,
        canary_sha256=stand.locked[canary.id],
        dataset_commit=stand.commit,
        agent=stand.agent.name,
        tool_calls=len(answer.calls),
        tokens=answer.usage,
        cost_usd=answer.cost_usd,
        cost_state=answer.cost_state,
        seconds=round(time.monotonic() - started, 3),
        applied=result.applied,
        located=result.located,
        patch_sha256=sha256(taken.patch) if taken else None,
        trial=f"trials/{canary.id}/{seed}",
    )
