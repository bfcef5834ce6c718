"""Handing an answer in: a trial as in a real run, with an agent that says what it is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from gate.agents.base import Agent
from gate.agents.controls import Oracle
from gate.agents.direct import Direct
from gate.agents.extract import Extracted, extract
from gate.audit.shapes import SHAPES, TOOL_EDITS, CannotCarry, Shape
from gate.audited import Handed
from gate.models.base import Reply
from gate.models.scripted import Scripted
from gate.outcome import UNSCORED, Answer, AnswerStatus, Grade, Status
from gate.suite.canary import Canary
from gate.trials.folder import Evidence
from gate.trials.stand import Stand
from gate.trials.trial import judge, take
from gate.workspace.patch import Patch, diff, sha256, to_bytes
from gate.workspace.tree import Tree

Extract = Callable[[str, Tree], Extracted]

_LEAST_S, _SLOWER = 5.0, 10.0


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of one answer: its grade, the patch that the harness read off the copy, and where the evidence lies."""

    grade: Grade
    patch: Patch
    answer: Answer
    evidence: Evidence

    @property
    def passed(self) -> bool | None:
        """None where nothing was measured."""
        return None if self.grade.status in UNSCORED else self.grade.passed

    @property
    def invalid(self) -> bool:
        """The task itself cannot be used."""
        return self.grade.status is Status.INVALID

    @property
    def reason(self) -> str:
        """Why it did not pass, in a line."""
        return "; ".join(self.grade.reasons()[:3]) or str(self.grade.status)


@dataclass(slots=True)
class Desk:
    """Where the answers to one task are handed in. Every shape really travels; equal patches are graded once.

    What a grade depends on besides the patch is part of what is compared: how the answer ended, and for a trap its
    message. May be used from several threads. `extract` takes an answer out of a message; an audit of the audit hands
    in a broken one.
    """

    canary: Canary
    stand: Stand
    extract: Extract = extract
    place: tuple[str, ...] = ("audit",)
    shapes: tuple[Shape, ...] = SHAPES
    _known: dict[tuple[str, ...], Graded] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def within(self, seconds: float) -> Desk:
        """The same desk for answers that need not be waited for: `seconds` is what the known answer took."""
        limit = min(self.canary.budget.timeout_s, _LEAST_S + _SLOWER * seconds)
        canary = replace(self.canary, budget=replace(self.canary.budget, timeout_s=limit))
        return Desk(canary, self.stand, self.extract, (*self.place, "cheats"), self.shapes)

    @property
    def base(self) -> Tree:
        """The fixture as it was checked."""
        return self.stand.copies.base(self.canary.fixture)

    def edit(self, patch: Patch, *, name: str = "") -> Graded:
        """The patch, made with the tools that every agent has. `name` is what its evidence is found by."""
        return self._answer(Oracle(lambda _name: patch), name)

    def say(self, message: str) -> Graded:
        """A final message, of which the answer is taken as in a real run."""
        model = Scripted((Reply(message),))
        return self._answer(Direct.on("audit", model, None, taken=self.extract))

    def submit(self, patch: Patch, *, fresh: bool = False, name: str = "") -> Graded:
        """A patch straight to the graders, past every agent. `fresh` grades it again though it is known.

        `name` is what its evidence is found by.
        """
        answer, evidence = Answer(AnswerStatus.DONE), self._evidence(name)
        if fresh:
            self._known.pop(self._key(patch, answer), None)
        return self._judge(patch, answer, evidence)

    def _answer(self, agent: Agent, name: str = "") -> Graded:
        evidence = self._evidence(name)
        taken = take(self.canary, 0, replace(self.stand, agent=agent), evidence)
        return self._judge(taken.patch, taken.answer, evidence)

    def _evidence(self, name: str = "") -> Evidence:
        number = f"{next(self._numbers):03d}"
        return self.stand.folder.evidence(
            *self.place, self.canary.id, "-".join([number, *filter(None, name.split("/"))])
        )

    def _judge(self, patch: Patch, answer: Answer, evidence: Evidence) -> Graded:
        evidence.put("patch.diff", to_bytes(patch))
        key = self._key(patch, answer)
        if key not in self._known:
            grade = judge(self.canary, patch, answer, self.stand, evidence)
            evidence.put("grade.json", json.dumps(grade.to_json(), indent=2).encode() + b"\n")
            self._known[key] = Graded(grade, patch, answer, evidence)
        known = self._known[key]
        return Graded(known.grade, patch, answer, known.evidence)

    def _key(self, patch: Patch, answer: Answer) -> tuple[str, ...]:
        """Everything that a grade follows from. The calls matter only where the canary says something of them."""
        expect, limit = self.canary.expect, self.canary.budget.max_tool_calls
        named = expect.tools_allowed is not None or bool(expect.tools_forbidden)
        calls = sorted({call.name for call in answer.calls}) if named else []
        over = limit is not None and len(answer.calls) > limit
        message = answer.message if self.canary.trap else ""
        return (sha256(patch), str(answer.status), str(over), message, *calls)

    def hand_in(self, kind: str, before: Tree, after: Tree) -> list[Handed]:
        """The change between two trees in every shape. `before` is the fixture, except for a change said backwards."""
        backwards = before != self.base
        out = []
        if not backwards:
            out.append(_handed(kind, TOOL_EDITS, self.edit(diff(before, after))))
        for shape in self.shapes:
            if shape.sole and len(self.base) != 1:
                continue
            try:
                message = shape.write(before, after)
            except CannotCarry as reason:
                out.append(Handed(kind, shape.name, None, str(reason)))
                continue
            out.append(_handed(kind, shape.name, self.say(message)))
        return out

    def hand_in_message(self, kind: str, shape: str, message: str) -> Handed:
        """A message as it is."""
        return _handed(kind, shape, self.say(message))


def _handed(kind: str, shape: str, graded: Graded) -> Handed:
    passed = graded.passed
    return Handed(kind, shape, passed, "" if passed else graded.reason, failed_to_measure=passed is None)
