"""A model that says what it is told: an audit hands in known answers with it, by the road that every answer takes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import ClassVar

from gate.models.base import Conversation, ModelTurn, Reply, ToolSpec


@dataclass(frozen=True, slots=True)
class Scripted:
    """Gives the n-th reply where n replies stand in the conversation; after the last, an empty one that ends it.

    It keeps no state, so one instance serves any number of trials at once.
    """

    replies: tuple[Reply, ...]
    name: ClassVar[str] = "scripted"

    @property
    def digest(self) -> str:
        """Hex sha256 of everything that it will say."""
        said = [
            {
                "text": reply.text,
                "calls": [[call.id, call.name, dict(call.arguments)] for call in reply.calls],
                "usage": reply.usage.to_json(),
                "stop": reply.stop,
                "cost_usd": reply.cost_usd,
            }
            for reply in self.replies
        ]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    def reply(self, conversation: Conversation, tools: tuple[ToolSpec, ...]) -> Reply:  # noqa: ARG002  # a Model's
        """The next of the replies."""
        number = sum(isinstance(turn, ModelTurn) for turn in conversation.turns)
        return self.replies[number] if number < len(self.replies) else Reply("", cost_usd=0.0)
