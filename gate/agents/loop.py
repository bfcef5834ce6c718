"""The built-in agent: a model, the toolbelt, and a loop that ends when the model stops or a budget does."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from gate.agents import toolprocess
from gate.agents.base import Task
from gate.agents.meter import Ended, Meter
from gate.agents.tools import SPECS, TOOL_NAMES, Toolbelt
from gate.models.base import Conversation, Model, ModelTurn, Reply, ToolTurn
from gate.outcome import Answer, AnswerStatus, CostState
from gate.suite.canary import Budget

SYSTEM_PROMPT = """\
You are a coding agent. A repository lies before you, and you reach it only through the tools you are given.
Do the task that follows. Change what it needs and nothing else; keep the style of the code around it.
If what the task asks for cannot be done as it is asked (a file that does not exist, a contradiction), change nothing \
and say so.
When you are done, answer without a tool call: say in a few words what you did.
"""


def budget_text(budget: Budget) -> str:
    """The budget as a model is told it, so that it can plan."""
    lines = [
        (budget.max_tool_calls, "You may make at most {} tool calls; parallel calls count one by one."),
        (budget.max_tokens, "You may write at most {} output tokens in all, tool calls and reasoning included."),
        (budget.max_input_tokens, "You may read at most {} input tokens in all, summed over your replies."),
        (budget.timeout_s, "You have {:g} seconds."),
    ]
    return "\n".join(text.format(limit) for limit, text in lines if limit is not None) + "\n"


def _toolbelt_digest() -> str:
    sources = sorted(
        path for part in toolprocess.program() for path in ([part] if part.is_file() else part.glob("*.py"))
    )
    specs = [[spec.name, spec.description, spec.parameters] for spec in SPECS.values()]
    digest = hashlib.sha256(json.dumps(specs, sort_keys=True).encode())
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Loop:
    """An agent on a model. `tools` are the names it asks for; a trial may offer fewer, never more."""

    name: str
    model: Model
    system: str
    tools: tuple[str, ...]
    digest: str

    @classmethod
    def on(cls, name: str, model: Model, system_prompt: Path | None, tools: tuple[str, ...] | None) -> Loop:
        """A loop with its own prompt and tools, or the built-in ones. Raises OSError for a prompt it cannot read."""
        system = SYSTEM_PROMPT if system_prompt is None else system_prompt.read_text("utf-8")
        names = TOOL_NAMES if tools is None else tuple(tool for tool in TOOL_NAMES if tool in tools)
        parts = ["loop", model.name, model.digest, system, *names, _toolbelt_digest()]
        return cls(name, model, system, names, hashlib.sha256(json.dumps(parts).encode()).hexdigest())

    def answer(self, task: Task) -> Answer:
        """Let the model work on the copy until it stops or a budget ends."""
        meter = Meter(task.budget)
        belt = Toolbelt(task, meter, self.tools)
        status, message, reason = AnswerStatus.DONE, "", ""
        try:
            message = self._converse(task, belt, meter)
        except Ended as ended:
            status, reason = ended.status, ended.reason
        finally:
            belt.close()
        task.record({"type": "end", "status": str(status), "reason": reason, "tool_calls": meter.calls})
        return Answer(
            status,
            message,
            tuple(belt.calls),
            meter.usage,
            meter.cost_usd,
            CostState.UNPRICED if meter.cost_usd is None else CostState.PRICED,
            reason,
        )

    def _converse(self, task: Task, belt: Toolbelt, meter: Meter) -> str:
        """The loop itself; returns the final message."""
        system = f"{self.system.rstrip()}\n\n{budget_text(task.budget)}"
        task.record({"type": "message", "role": "system", "text": system})
        task.record({"type": "message", "role": "user", "text": task.prompt})
        talk = Conversation.opened(system, task.prompt)
        while True:
            meter.check_time()
            reply = self.model.reply(talk, belt.specs)
            self._note(task, reply)
            meter.take_tokens(reply.usage, reply.cost_usd)
            if not reply.calls:
                return reply.text
            meter.take_calls(len(reply.calls))
            results = tuple(belt.call(call) for call in reply.calls)
            talk = talk.then(ModelTurn(reply.text, reply.calls)).then(ToolTurn(results))

    @staticmethod
    def _note(task: Task, reply: Reply) -> None:
        task.record({"type": "message", "role": "assistant", "text": reply.text, "calls": len(reply.calls)})
        task.record({"type": "usage", **reply.usage.to_json()})
