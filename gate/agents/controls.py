"""The two agents that know the score: one writes the known solution, one does nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from gate.agents.base import Task
from gate.agents.meter import Ended, Meter
from gate.agents.tools import MAX_ARGUMENT, Refusal, Toolbelt
from gate.models.base import ToolRequest
from gate.outcome import Answer, AnswerStatus, CostState
from gate.workspace.patch import Change, Patch
from gate.workspace.tree import File, Node

Solutions = Callable[[str], Patch | None]
"""The solution of a canary by its id, or None where none is known (a trap)."""

DECLINED = "No solution is known for this task. I changed nothing."
APPLIED = "I applied the known solution."


def _digest(kind: str) -> str:
    return hashlib.sha256(f"control:{kind}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Null:
    """Does nothing and says nothing. Whatever passes with it is a hole in the graders."""

    name: str = "null"
    digest: str = _digest("null")

    def answer(self, task: Task) -> Answer:
        """An empty answer."""
        task.record({"type": "end", "status": "done", "reason": "", "tool_calls": 0})
        return Answer(AnswerStatus.DONE, cost_usd=0.0, cost_state=CostState.PRICED)


def _plain(node: Node | None) -> str | None:
    """The text of a node that the ordinary tools can write without loss, or None."""
    if not isinstance(node, File) or node.executable or len(node.data) > MAX_ARGUMENT:
        return None
    try:
        return node.data.decode()
    except UnicodeDecodeError:
        return None


def _request(change: Change, number: int, offered: set[str]) -> ToolRequest | None:
    """The tool call that makes a change, or None where no offered tool can."""
    before, after = _plain(change.before), _plain(change.after)
    name = f"call-{number}"
    if after is None or "\0" in after:
        return None
    if change.before is None and "write_file" in offered:
        return ToolRequest(name, "write_file", {"path": change.path, "content": after})
    if before and "\0" not in before and "edit_file" in offered:
        return ToolRequest(name, "edit_file", {"path": change.path, "old": before, "new": after})
    if before is not None and "write_file" in offered:
        return ToolRequest(name, "write_file", {"path": change.path, "content": after})
    return None


@dataclass(frozen=True, slots=True)
class Oracle:
    """Writes the known solution through the toolbelt that every other agent uses, within the same budget.

    A broken tool, a budget that is too small or a canary that no solution fits shows as an error of the oracle. Files
    that no offered tool can write (deletions, links, modes, bytes) are placed by the tool process all the same; those
    are not tool calls and are not counted.
    """

    solutions: Solutions
    name: str = "oracle"
    digest: str = _digest("oracle")

    def answer(self, task: Task) -> Answer:
        """Apply the solution, or decline where none is known."""
        meter = Meter(task.budget)
        belt = Toolbelt(task, meter)
        status, message, reason = AnswerStatus.DONE, DECLINED, ""
        try:
            patch = self.solutions(task.canary_id)
            if patch is not None:
                self._apply(patch, belt, meter)
                message = APPLIED
        except Ended as ended:
            status, message, reason = ended.status, "", ended.reason
        except Refusal as refusal:
            status, message, reason = AnswerStatus.ERROR, "", f"the known solution could not be written: {refusal}"
        finally:
            belt.close()
        task.record({"type": "message", "role": "assistant", "text": message})
        task.record({"type": "end", "status": str(status), "reason": reason, "tool_calls": len(belt.calls)})
        return Answer(status, message, tuple(belt.calls), cost_usd=0.0, cost_state=CostState.PRICED, reason=reason)

    @staticmethod
    def _apply(patch: Patch, belt: Toolbelt, meter: Meter) -> None:
        offered = {spec.name for spec in belt.specs}
        # Deletions first: a folder may have to make room for a file of its name.
        for number, change in enumerate(sorted(patch.changes, key=lambda change: change.after is not None), 1):
            request = _request(change, number, offered)
            if request is None:
                belt.place(change)
                continue
            meter.take_calls(1)
            result = belt.call(request)
            if not result.ok:
                raise Refusal(result.text)
