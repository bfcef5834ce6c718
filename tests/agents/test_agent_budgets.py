"""The harness counts: calls, tokens, dollars and seconds end a trial, whatever the model thinks of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gate.agents.loop import Loop, budget_text
from gate.models.base import Conversation, ModelTurn, Reply, ToolRequest, ToolSpec, ToolTurn
from gate.outcome import AnswerStatus, CostState, Usage
from gate.sandbox.fence import Fence
from gate.suite.canary import Budget
from tests.agents.bench import Repo


@dataclass(frozen=True)
class Scripted:
    """A model that follows a script: a reply for the number of the turn."""

    script: Callable[[int], Reply]
    name: str = "scripted"
    digest: str = "0" * 64

    def reply(self, conversation: Conversation, tools: tuple[ToolSpec, ...]) -> Reply:
        """The reply for this turn."""
        assert tools
        return self.script(sum(isinstance(turn, ModelTurn) for turn in conversation.turns))


def _reads(count: int, usage: Usage | None = None, cost: float | None = 0.0) -> Reply:
    calls = tuple(ToolRequest(f"c{n}", "read_file", {"path": "a.txt"}) for n in range(count))
    return Reply("", calls, usage or Usage(), "tools" if calls else "done", cost)


def _loop(script: Callable[[int], Reply]) -> Loop:
    return Loop.on("it", Scripted(script), None, None)


@pytest.fixture
def repo(scratch: Path, fence: Fence) -> Repo:
    """A copy with one file."""
    return Repo.laid(scratch, fence, {"a.txt": "hello\n"})


def test_a_response_over_the_call_budget_is_not_executed_at_all(repo: Repo) -> None:
    """Of three parallel calls where two are left, none is done, none is counted, and the trial is over budget."""
    answer = repo.answered(_loop(lambda _: _reads(3)), budget={"max_tool_calls": 5})
    assert answer.status is AnswerStatus.OVER_BUDGET
    assert len(answer.calls) == 3
    assert answer.reason == "3 more tool calls were asked for after 3 of 5; none of them was executed"
    assert [event["type"] for event in repo.events].count("tool_call") == 3


def test_the_last_call_of_the_budget_is_executed(repo: Repo) -> None:
    """Exactly as many calls as allowed are fine."""
    answer = repo.answered(_loop(lambda turn: _reads(2 if turn == 0 else 0)), budget={"max_tool_calls": 2})
    assert (answer.status, len(answer.calls)) == (AnswerStatus.DONE, 2)


def test_refused_calls_count(repo: Repo) -> None:
    """A call of a tool that does not exist costs as much as any other."""
    script = lambda _: Reply("", (ToolRequest("x", "shell", {}),), cost_usd=0.0)  # noqa: E731
    answer = repo.answered(_loop(script), budget={"max_tool_calls": 4})
    assert (answer.status, len(answer.calls)) == (AnswerStatus.OVER_BUDGET, 4)
    assert not any(call.ok for call in answer.calls)


TOKENS = (
    ({"max_tokens": 99}, Usage(output=50, reasoning=20), "100 output tokens used, 99 allowed"),
    ({"max_input_tokens": 99}, Usage(input=20, cache_read=20, cache_write=10), "100 input tokens used, 99 allowed"),
)


@pytest.mark.parametrize(("budget", "usage", "reason"), TOKENS)
def test_tokens_are_summed_over_the_trial(repo: Repo, budget: dict[str, int], usage: Usage, reason: str) -> None:
    """The reply that goes over is not acted on; reasoning is inside output, and the cache inside input."""
    answer = repo.answered(_loop(lambda _: _reads(1, usage)), budget=budget)
    assert (answer.status, answer.reason) == (AnswerStatus.OVER_BUDGET, reason)
    assert len(answer.calls) == 1
    assert answer.usage == usage + usage


def test_tokens_at_the_limit_are_fine(repo: Repo) -> None:
    """A budget is what may be used, not the first amount that is too much."""
    answer = repo.answered(_loop(lambda _: _reads(0, Usage(output=50))), budget={"max_tokens": 50})
    assert answer.status is AnswerStatus.DONE


def test_dollars_end_a_trial_and_an_unknown_price_ends_it_at_once(repo: Repo) -> None:
    """A priced model is stopped over the budget; a model without a price is not run on a budget in dollars."""
    priced = repo.answered(_loop(lambda _: _reads(1, cost=0.04)), budget={"max_usd": 0.05})
    assert (priced.status, priced.cost_state) == (AnswerStatus.OVER_BUDGET, CostState.PRICED)
    unpriced = repo.answered(_loop(lambda _: _reads(1, cost=None)), budget={"max_usd": 0.05})
    assert (unpriced.status, unpriced.cost_state) == (AnswerStatus.ERROR, CostState.UNPRICED)
    assert unpriced.calls == ()


def test_the_wall_clock_ends_a_trial_between_calls(repo: Repo) -> None:
    """A model that takes too long is a timeout, and its last reply is not acted on."""

    def slow(_: int) -> Reply:
        time.sleep(0.6)
        return _reads(1)

    answer = repo.answered(_loop(slow), budget={"timeout_s": 1.0})
    assert answer.status is AnswerStatus.TIMEOUT
    assert answer.reason == "the 1 s of this trial were used up"
    assert len(answer.calls) <= 1


def test_parallel_calls_are_answered_in_order(repo: Repo) -> None:
    """The results of a response stand in the order of its calls, each under its id."""
    seen: list[tuple[str, str]] = []

    def script(turn: int) -> Reply:
        return _reads(0) if turn else Reply("", (
            ToolRequest("w", "write_file", {"path": "b.txt", "content": "1"}),
            ToolRequest("r", "read_file", {"path": "b.txt"}),
        ), cost_usd=0.0)  # fmt: skip

    class Watching(Scripted):
        def reply(self, conversation: Conversation, tools: tuple[ToolSpec, ...]) -> Reply:
            for turn in conversation.turns:
                if isinstance(turn, ToolTurn):
                    seen.extend((result.id, result.text) for result in turn.results)
            return super().reply(conversation, tools)

    repo.answered(Loop.on("it", Watching(script), None, None))
    assert seen == [("w", "b.txt: created, 1 lines"), ("r", "b.txt: lines 1-1 of 1\n1")]


def test_the_model_is_told_its_budget() -> None:
    """Each limit that is set stands in the system prompt in plain digits; one that is not set does not."""
    text = budget_text(Budget(max_tool_calls=12, max_tokens=8_000_000, timeout_s=90.0))
    assert "at most 12 tool calls" in text
    assert "at most 8000000 output tokens" in text
    assert "90 seconds" in text
    assert "input tokens" not in text


def test_the_trajectory_ends_with_the_status(repo: Repo) -> None:
    """The last event says how the trial ended and how many calls were counted."""
    repo.answered(_loop(lambda _: _reads(1)), budget={"max_tool_calls": 1})
    last = repo.events[-1]
    assert (last["type"], last["status"], last["tool_calls"]) == ("end", "over_budget", 1)
