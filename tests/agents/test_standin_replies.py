"""The stand-in as a model: deterministic, a function of the conversation, counted by a documented convention."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from gate.agents.stable import Stable
from gate.agents.tools import SPECS
from gate.models.base import Conversation, ModelTurn, Reply, ToolResult, ToolTurn
from gate.models.standin import StandIn
from gate.models.table import open_model
from gate.sandbox.fence import Fence
from tests.agents.bench import Repo, loop, pytest_argv
from tests.agents.test_standin_repair import BUDGET, STOCK

TOOLS = tuple(SPECS.values())


def test_two_runs_leave_the_same_bytes(scratch: Path, fence: Fence) -> None:
    """Two trials in different folders have the same trajectory byte for byte, and no folder in it."""
    trajectories = []
    for name in ("one", "another-name"):
        repo = Repo.laid(scratch, fence, STOCK, name)
        repo.answered(loop(), "Fix the failing test.", test_argv=pytest_argv("tests"), budget=BUDGET)
        trajectories.append(repo.trajectory())
    assert trajectories[0] == trajectories[1]
    assert str(scratch).encode() not in trajectories[0]
    assert trajectories[0].count(b"run_tests") > 2


def _talk(model: StandIn, fresh: bool) -> list[Reply]:
    """A scripted conversation; with `fresh`, every turn is answered by a model that has seen nothing before."""
    talk = Conversation.opened("You may make at most 9 tool calls.", "Rename `add` to `plus`.")
    replies: list[Reply] = []
    answers = {
        "search": "a.py:1: def add(): pass",
        "read_file": "a.py: lines 1-1 of 1\ndef add(): pass\n",
        "edit_file": "a.py: edited at line 1",
        "run_tests": "$ t\nexit code 0\n",
    }
    while True:
        reply = (StandIn() if fresh else model).reply(talk, TOOLS)
        replies.append(reply)
        if not reply.calls:
            return replies
        results = tuple(ToolResult(call.id, call.name, True, answers.get(call.name, "")) for call in reply.calls)
        talk = talk.then(ModelTurn(reply.text, reply.calls)).then(ToolTurn(results))


def test_a_reply_depends_on_the_conversation_alone() -> None:
    """A model that never saw the conversation before continues it exactly like the one that led it."""
    assert _talk(StandIn(), fresh=False) == _talk(StandIn(), fresh=True)


def test_two_conversations_on_one_model_do_not_mix() -> None:
    """The same conversation twice on one instance, as parallel trials do, gives the same replies."""
    model = StandIn()
    assert _talk(model, fresh=False) == _talk(model, fresh=False)


def test_tokens_are_a_quarter_of_the_characters() -> None:
    """Input counts everything that was said so far, output what the reply says, both rounded up."""
    system, task = "x" * 41, "Please do something that is neither."
    reply = StandIn().reply(Conversation.opened(system, task), ())
    assert reply.usage.input == math.ceil((len(system) + len(task)) / 4)
    assert reply.usage.output == math.ceil(len(reply.text) / 4)
    assert reply.cost_usd == 0.0


def test_without_any_tool_it_still_answers() -> None:
    """With no tools offered it changes nothing and says so, for every kind of task."""
    for task in ("Rename `a` to `b`.", "Fix the bug.", "Sing."):
        reply = StandIn().reply(Conversation.opened("", task), ())
        assert reply.calls == ()
        assert "I changed nothing." in reply.text


def test_the_digest_is_of_its_sources() -> None:
    """Two instances agree, and the digest is a sha256."""
    assert open_model("stand-in").digest == StandIn().digest
    assert len(StandIn().digest) == 64


VOLATILE = (
    ("1 failed, 2 passed in 0.13s", "1 failed, 2 passed in 0.00s"),
    ("2 passed in 61.20s (0:01:01)", "2 passed in 0.00s"),
    ("Ran 3 tests in 0.001s", "Ran 3 tests in 0.00s"),
    ("# duration_ms 12.345", "# duration_ms 0"),
    ("  duration_ms: 3", "  duration_ms: 0"),
    ("\u2714 adds (1.25ms)", "\u2714 adds (0ms)"),
    ("Time:        1.2 s", "Time:        0 s"),
    ("<object at 0x7f0a1b2c3d4e>", "<object at 0x0>"),
    ("(node:123) Warning: x", "(node) Warning: x"),
    ('File "/tmp/x/repo/a.py", line 3', 'File "a.py", line 3'),
    ("rootdir: /tmp/x/repo", "rootdir: ."),
    ("/usr/bin/python3 -m pytest", "python -m pytest"),
)
KEPT = ("assert 5.0 == 4.0s", "within 0.5 seconds of", "0xdeadbeef", "(3 ms)", "duration 12", "/tmp/x/repository/a.py")


@pytest.mark.parametrize(("text", "stable"), VOLATILE)
def test_what_differs_between_runs_is_taken_out(text: str, stable: str) -> None:
    """Times, addresses, process ids and scratch paths of the known runners are made the same."""
    assert Stable(Path("/tmp/x/repo"), {"/usr/bin/python3": "python"}).output(text) == stable


@pytest.mark.parametrize("text", KEPT)
def test_what_the_task_says_about_time_is_kept(text: str) -> None:
    """Numbers of the task's own are not touched."""
    assert Stable(Path("/tmp/x/repo"), {}).output(text) == text
