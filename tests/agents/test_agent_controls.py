"""The controls: the oracle writes exactly the known solution with the ordinary tools, null does nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.agents.controls import APPLIED, DECLINED, Null, Oracle
from gate.agents.tools import TOOL_NAMES
from gate.outcome import AnswerStatus
from gate.sandbox.fence import Fence
from gate.workspace.patch import diff
from gate.workspace.tree import File, Node, Symlink
from tests.agents.bench import Repo, tree_of

BEFORE: dict[str, str | bytes | Node] = {
    "text.py": "a = 1\nb = 2\n",
    "crlf.txt": "x\r\n",
    "bare.txt": "end",
    "empty.txt": "",
    "gone.txt": "bye\n",
    "folder/inner.txt": "was a folder\n",
    "mode.sh": "#!/bin/sh\n",
    "bytes.bin": b"\0\1",
    "latin.txt": b"caf\xe9\n",
    "link": Symlink("text.py"),
    "spaced name.txt": "x\n",
    "large.txt": "x",
}
AFTER: dict[str, str | bytes | Node] = {
    "text.py": "a = 2\nb = 2\n",
    "crlf.txt": "y\r\n",
    "bare.txt": "the end",
    "empty.txt": "not any more\n",
    "folder": "now a file\n",
    "new/deep/file.txt": "new\n",
    "new/empty.txt": "",
    "mode.sh": File(b"#!/bin/sh\n", executable=True),
    "bytes.bin": b"\0\2\xff",
    "latin.txt": b"caf\xe9s\n",
    "link": Symlink("new/deep/file.txt"),
    "fresh": Symlink("nowhere"),
    "spaced name.txt": "\u00e9 \U0001f600\n",
    "\u4e2d.txt": "x\n",
    "large.txt": "x" * 1_500_000,
}

OFFERS = (TOOL_NAMES, ("read_file", "edit_file", "run_tests"), ("read_file", "write_file"), ("read_file",))


@pytest.mark.parametrize("tools", OFFERS)
def test_the_oracle_leaves_the_known_tree(scratch: Path, fence: Fence, tools: tuple[str, ...]) -> None:
    """Text, bytes, modes, links, deletions and a folder that becomes a file: all as in the solution, with any tools."""
    repo = Repo.laid(scratch, fence, BEFORE)
    patch = diff(repo.base, tree_of(AFTER))
    answer = repo.answered(Oracle(lambda _: patch), tools=tools)
    assert (answer.status, answer.message, answer.reason) == (AnswerStatus.DONE, APPLIED, "")
    assert repo.after() == tree_of(AFTER)
    assert {call.name for call in answer.calls} <= set(tools)


def test_the_oracle_uses_the_tools_of_an_agent(scratch: Path, fence: Fence) -> None:
    """A plain edit is one recorded edit_file call, and a new file one write_file call."""
    repo = Repo.laid(scratch, fence, {"a.py": "a = 1\n"})
    patch = diff(repo.base, tree_of({"a.py": "a = 2\n", "b.py": "b = 1\n"}))
    answer = repo.answered(Oracle(lambda _: patch))
    assert [(call.name, call.ok) for call in answer.calls] == [("edit_file", True), ("write_file", True)]
    assert [event["type"] for event in repo.events].count("tool_call") == 2


def test_the_oracle_declines_where_no_solution_is_known(scratch: Path, fence: Fence) -> None:
    """On a trap the oracle changes nothing and says so."""
    repo = Repo.laid(scratch, fence, {"a.py": "a = 1\n"})
    answer = repo.answered(Oracle(lambda _: None))
    assert (answer.status, answer.message, answer.calls) == (AnswerStatus.DONE, DECLINED, ())
    assert repo.changed() == {}


def test_the_oracle_keeps_to_the_budget(scratch: Path, fence: Fence) -> None:
    """A solution of three files does not fit into two tool calls, and the oracle shows it."""
    repo = Repo.laid(scratch, fence, {})
    patch = diff({}, tree_of({"a": "1", "b": "2", "c": "3"}))
    answer = repo.answered(Oracle(lambda _: patch), budget={"max_tool_calls": 2})
    assert (answer.status, len(answer.calls)) == (AnswerStatus.OVER_BUDGET, 2)


def test_a_tool_that_cannot_write_shows_in_the_oracle(scratch: Path, fence: Fence) -> None:
    """Where the solution cannot be written the oracle is an error with the reason, never a quiet pass."""
    repo = Repo.laid(scratch, fence, {"sub/a.py": "a = 1\n"})
    (repo.root / "sub" / "a.py").chmod(0o444)
    (repo.root / "sub").chmod(0o555)
    if fence.owner is None:
        assert os.geteuid() != 0
    patch = diff(repo.base, tree_of({"sub/a.py": "a = 2\n"}))
    answer = repo.answered(Oracle(lambda _: patch))
    assert answer.status is AnswerStatus.ERROR
    assert "Permission denied" in answer.reason


def test_null_touches_nothing_and_says_nothing(scratch: Path, fence: Fence) -> None:
    """No call, no message, no change, no sandbox."""
    repo = Repo.laid(scratch, fence, {"a.py": "a = 1\n"})
    answer = repo.answered(Null())
    assert (answer.status, answer.message, answer.calls) == (AnswerStatus.DONE, "", ())
    assert repo.changed() == {}
    assert [event["type"] for event in repo.events] == ["end"]
