"""The stand-in: a deterministic program behind the model interface, and a floor, not a language model.

It reads the conversation as any model does (system prompt, task, tool results) and answers with tool calls. It
renames when it is asked to rename, and repairs by trying small changes of syntax until the tests that it may run
pass or the budget ends. It understands a handful of phrasings, knows no answers, and writes no new code: whatever it
does not understand it leaves alone, and says so. Use it to see the gate work without a provider and without cost; an
agent that does no better than the stand-in is not helping anyone.

Its token counts are a convention: a quarter of the characters that it reads and writes, rounded up.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import OrderedDict
from pathlib import Path

from gate.models.base import Conversation, ModelTurn, Reply, ToolRequest, ToolSpec, ToolTurn, UserTurn
from gate.models.standin.desk import Desk, Script, Step, tokens
from gate.models.standin.script import work
from gate.outcome import Usage

_LIVE = 32

_CALLS = re.compile(r"at most (\d+) tool calls", re.IGNORECASE)
_TOKENS = re.compile(r"at most (\d+) output tokens", re.IGNORECASE)


def _limit(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return int(found[1]) if found else None


def _source_digest() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(f"{source.name}\n".encode() + source.read_bytes())
    return digest.hexdigest()


def _read(conversation: Conversation) -> int:
    """Characters of everything that a reply to this conversation has to read."""
    total = len(conversation.system)
    for turn in conversation.turns:
        match turn:
            case UserTurn(text):
                total += len(text)
            case ModelTurn(text, calls):
                total += len(text) + sum(len(json.dumps(dict(call.arguments))) for call in calls)
            case ToolTurn(results):
                total += sum(len(result.text) for result in results)
    return total


def _started(conversation: Conversation, tools: tuple[ToolSpec, ...]) -> Script[str]:
    first = conversation.turns[0]
    task = first.text if isinstance(first, UserTurn) else ""
    system = conversation.system
    desk = Desk(frozenset(tool.name for tool in tools), _limit(_CALLS, system), _limit(_TOKENS, system))
    return work(desk, task)


class StandIn:
    """The model. A reply is a function of the conversation alone.

    What it was thinking is kept between two replies only to save the time of thinking it again: a conversation that
    it does not remember is replayed from its start and gives the same reply.
    """

    name = "stand-in"

    def __init__(self) -> None:
        self.digest = _source_digest()
        self._lock = threading.Lock()
        self._thinking: OrderedDict[str, Script[str]] = OrderedDict()

    def reply(self, conversation: Conversation, tools: tuple[ToolSpec, ...]) -> Reply:
        """The next turn: tool calls, or a closing message."""
        number = sum(len(turn.calls) for turn in conversation.turns if isinstance(turn, ModelTurn))
        script, step = self._next(conversation, tools)
        if isinstance(step, str):
            return Reply(step, usage=Usage(tokens(_read(conversation)), output=tokens(len(step))), cost_usd=0.0)
        calls = tuple(
            ToolRequest(f"call-{number + at}", name, arguments) for at, (name, arguments) in enumerate(step.calls, 1)
        )
        self._keep(conversation.then(ModelTurn(step.text, calls)).fingerprint, script)
        usage = Usage(tokens(_read(conversation)), output=step.tokens())
        return Reply(step.text, calls, usage, "tools", 0.0)

    def _next(self, conversation: Conversation, tools: tuple[ToolSpec, ...]) -> tuple[Script[str], Step | str]:
        last = conversation.turns[-1]
        script = self._recalled(conversation) if isinstance(last, ToolTurn) else None
        try:
            if script is not None and isinstance(last, ToolTurn):
                return script, script.send(last.results)
            script = _started(conversation, tools)
            step = next(script)
            for turn in conversation.turns:
                if isinstance(turn, ToolTurn):
                    step = script.send(turn.results)
        except StopIteration as stop:
            return (script or _started(conversation, tools)), str(stop.value)
        return script, step

    def _recalled(self, conversation: Conversation) -> Script[str] | None:
        """What was thought up to the calls whose results have just come in, if it is still known."""
        with self._lock:
            return self._thinking.pop(conversation.previous, None)

    def _keep(self, fingerprint: str, script: Script[str]) -> None:
        with self._lock:
            self._thinking[fingerprint] = script
            while len(self._thinking) > _LIVE:
                self._thinking.popitem(last=False)
