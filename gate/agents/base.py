"""What an agent is given and what it must give back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from gate.outcome import Answer
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import Toolchain
from gate.suite.canary import Budget, Language
from gate.workspace.copy import Overlay

Record = Callable[[Mapping[str, Any]], None]
"""Appends one event to the trajectory on disk and flushes it."""


@dataclass(frozen=True, slots=True)
class Task:
    """One trial as the answering side sees it. Nothing in it names the golden, the hidden tests or the slice.

    `prompt` is rendered. `copy` is the throwaway copy (under `overlay` the mount point). `test_argv` is what
    `run_tests` runs inside the fence, or None where the tests are not the agent's to see. `tools` are the names
    that this trial offers. `seed` is the number of the repetition.
    """

    canary_id: str
    prompt: str
    language: Language
    copy: Path
    overlay: Overlay | None
    budget: Budget
    tools: tuple[str, ...]
    test_argv: tuple[tuple[str, ...], ...] | None
    seed: int
    fence: Fence
    python: Toolchain
    node: Toolchain | None
    record: Record


class Agent(Protocol):
    """Whatever answers. `digest` hashes everything of the stack that can change its answers."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    def answer(self, task: Task) -> Answer:
        """Work on the copy, record every step, and say how it ended. Never raises for what a budget stops."""
        ...
