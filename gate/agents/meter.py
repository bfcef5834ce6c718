"""What a trial may spend and has spent. The harness counts; nobody is asked how much they used."""

from __future__ import annotations

import time
from collections.abc import Callable

from gate.outcome import AnswerStatus, Usage
from gate.suite.canary import Budget


class Ended(Exception):
    """The trial is over before the agent says so: which status, and why."""

    def __init__(self, status: AnswerStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Meter:
    """The budget of one trial. Every method that takes raises Ended once there is not enough left."""

    def __init__(self, budget: Budget, clock: Callable[[], float] = time.monotonic) -> None:
        self.budget = budget
        self.usage = Usage()
        self.calls = 0
        self.cost_usd: float | None = 0.0
        self._clock = clock
        self._deadline = clock() + budget.timeout_s

    def left_s(self) -> float:
        """Seconds of wall clock that are left."""
        return self._deadline - self._clock()

    def check_time(self) -> None:
        """Raise Ended when the wall clock has run out."""
        if self.left_s() <= 0:
            raise Ended(AnswerStatus.TIMEOUT, f"the {self.budget.timeout_s:g} s of this trial were used up")

    def take_calls(self, count: int) -> None:
        """Take `count` tool calls that belong together: all of them, or none and the trial is over."""
        limit = self.budget.max_tool_calls
        if limit is not None and self.calls + count > limit:
            asked = f"{count} more tool calls were" if count > 1 else "one more tool call was"
            raise Ended(
                AnswerStatus.OVER_BUDGET, f"{asked} asked for after {self.calls} of {limit}; none of them was executed"
            )
        self.calls += count

    def take_tokens(self, usage: Usage, cost_usd: float | None) -> None:
        """Add what one reply used. `cost_usd` None makes the cost of the whole trial unknown."""
        self.usage += usage
        self.cost_usd = None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd
        budget = self.budget
        self._bound("output tokens", self.usage.output, budget.max_tokens)
        read = self.usage.input + self.usage.cache_read + self.usage.cache_write
        self._bound("input tokens", read, budget.max_input_tokens)
        if budget.max_usd is None:
            return
        if self.cost_usd is None:
            raise Ended(AnswerStatus.ERROR, "there is a budget in dollars, but no price is known for this model")
        self._bound("dollars", self.cost_usd, budget.max_usd)

    @staticmethod
    def _bound(what: str, used: float, limit: float | None) -> None:
        if limit is not None and used > limit:
            raise Ended(AnswerStatus.OVER_BUDGET, f"{used:g} {what} used, {limit:g} allowed")
