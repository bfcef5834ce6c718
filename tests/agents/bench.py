"""A trial on a small repository written in the test: a real copy, the real fence, the real tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from gate.agents.base import Agent, Task
from gate.agents.meter import Meter
from gate.agents.tools import TOOL_NAMES, Toolbelt
from gate.models.base import ToolRequest, ToolResult
from gate.outcome import Answer
from gate.sandbox.fence import Fence
from gate.sandbox.toolchain import node, python
from gate.suite.canary import Budget
from gate.workspace.tree import File, Node, Tree, read, write

PYTEST = ("-m", "pytest", "-q", "--disable-plugin-autoload", "-p", "no:cacheprovider", "--color=no")


def _node_of(content: str | bytes | Node) -> Node:
    data = content.encode() if isinstance(content, str) else content
    return File(data) if isinstance(data, bytes) else data


def tree_of(files: Mapping[str, str | bytes | Node]) -> dict[str, Node]:
    """A tree from texts."""
    return {path: _node_of(content) for path, content in files.items()}


def pytest_argv(*paths: str) -> tuple[tuple[str, ...], ...]:
    """The test command of a Python canary."""
    return ((str(python().executable), *PYTEST, *paths),)


def node_argv(*paths: str) -> tuple[tuple[str, ...], ...]:
    """The test command of a JavaScript canary."""
    found = node()
    assert found is not None
    return ((str(found.executable), "--test", "--test-reporter=tap", *paths),)


@dataclass
class Repo:
    """A copy in a scratch folder. `events` is the trajectory of whatever works on it."""

    root: Path
    fence: Fence
    base: Tree
    events: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def laid(cls, scratch: Path, fence: Fence, files: Mapping[str, str | bytes | Node], name: str = "repo") -> Repo:
        """Write the files where the fence can reach them."""
        base = tree_of(files)
        root = scratch / name
        write(base, root, owner=fence.owner)
        return cls(root, fence, base)

    def task(self, prompt: str = "", **changes: Any) -> Task:
        """A task on this copy."""
        budget = {"timeout_s": 60.0, **changes.pop("budget", {})}
        values: dict[str, Any] = {
            "canary_id": "a-canary",
            "prompt": prompt,
            "language": "python",
            "copy": self.root,
            "overlay": None,
            "budget": Budget(**budget),
            "tools": TOOL_NAMES,
            "test_argv": None,
            "seed": 0,
            "fence": self.fence,
            "python": python(),
            "node": node(),
            "record": self._record,
        }
        return Task(**{**values, **changes})

    def _record(self, event: Mapping[str, Any]) -> None:
        self.events.append(dict(event))

    def answered(self, agent: Agent, prompt: str = "", **changes: Any) -> Answer:
        """Let an agent work."""
        return agent.answer(self.task(prompt, **changes))

    def trajectory(self) -> bytes:
        """The events as they would stand on disk."""
        return b"".join(json.dumps(event, sort_keys=True).encode() + b"\n" for event in self.events)

    def after(self) -> Tree:
        """What lies in the copy now."""
        return read(self.root).tree

    def changed(self) -> dict[str, str | None]:
        """The text of every file that is new or different, None for one that is gone."""
        after = self.after()
        paths = sorted({*after, *self.base})
        return {path: _text(after.get(path)) for path in paths if after.get(path) != self.base.get(path)}


def _text(node: Node | None) -> str | None:
    return node.data.decode("utf-8", "replace") if isinstance(node, File) else None


class Hand:
    """Calls tools one by one, as a model would."""

    def __init__(self, repo: Repo, **changes: Any) -> None:
        self.task = repo.task(**changes)
        self.meter = Meter(self.task.budget)
        self.belt = Toolbelt(self.task, self.meter)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.belt.close()

    def __call__(self, name: str, **arguments: Any) -> ToolResult:
        """One call."""
        return self.belt.call(ToolRequest(f"call-{len(self.belt.calls) + 1}", name, arguments))


def loop(model: str = "stand-in") -> Agent:
    """The built-in loop on a model."""
    from gate.agents.table import build
    from gate.suite.config import AgentSpec

    return build(AgentSpec("it", "loop", model), solutions=lambda _: None, base=Path())
