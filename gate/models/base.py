"""What a model is to an agent: a conversation goes in, text and tool calls come out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from gate.outcome import Usage

Stop = Literal["done", "tools", "length", "refused"]
"""Why a reply ended: the model is finished, it waits for tools, it hit its own limit, or it declined."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered to a model. `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A tool call that a model asks for. `id` is unique within its conversation."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool said. `ok` is False when the call was refused or could not be done."""

    id: str
    name: str
    ok: bool
    text: str


@dataclass(frozen=True, slots=True)
class UserTurn:
    """Text from the harness: the task."""

    text: str

    def to_json(self) -> dict[str, Any]:
        """The turn as plain data."""
        return {"user": self.text}


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """One reply of the model, as it is kept in the conversation."""

    text: str
    calls: tuple[ToolRequest, ...]

    def to_json(self) -> dict[str, Any]:
        """The turn as plain data."""
        return {"text": self.text, "calls": [[call.id, call.name, dict(call.arguments)] for call in self.calls]}


@dataclass(frozen=True, slots=True)
class ToolTurn:
    """The results of the calls of the turn before, in the same order."""

    results: tuple[ToolResult, ...]

    def to_json(self) -> dict[str, Any]:
        """The turn as plain data."""
        return {"results": [[result.id, result.ok, result.text] for result in self.results]}


Turn = UserTurn | ModelTurn | ToolTurn


def _chained(before: str, turn: Turn) -> str:
    data = json.dumps(turn.to_json(), sort_keys=True)
    return hashlib.sha256(f"{before}\n{data}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything a model may know of a trial.

    `fingerprint` identifies the conversation up to its last turn, and `previous` the one before that turn.
    """

    system: str
    turns: tuple[Turn, ...] = ()
    fingerprint: str = ""
    previous: str = ""

    @classmethod
    def opened(cls, system: str, task: str) -> Conversation:
        """A conversation that starts with the task."""
        start = hashlib.sha256(json.dumps(system).encode()).hexdigest()
        return cls(system, (), start).then(UserTurn(task))

    def then(self, turn: Turn) -> Conversation:
        """The conversation with one more turn."""
        return Conversation(self.system, (*self.turns, turn), _chained(self.fingerprint, turn), self.fingerprint)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `cost_usd` is None where the price of this reply is not known."""

    text: str
    calls: tuple[ToolRequest, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stop: Stop = "done"
    cost_usd: float | None = None


class Model(Protocol):
    """A model. `digest` hashes everything that can change its replies. One instance serves several threads."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    def reply(self, conversation: Conversation, tools: tuple[ToolSpec, ...]) -> Reply:
        """The next turn. Raises NotMeasured when the provider cannot be reached."""
        ...
