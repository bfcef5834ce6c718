"""What an answer spent and which tools it used, as the harness counted them."""

from __future__ import annotations

from gate.grading.reason import clean
from gate.outcome import Answer, Check
from gate.suite.canary import Budget, Expect


def check_budget(budget: Budget, answer: Answer) -> Check | None:
    """Within every ceiling of the canary; None where it has none. A dollar ceiling needs a known price."""
    spent: list[tuple[str, float | None, float | None]] = [
        ("tool calls", len(answer.calls), budget.max_tool_calls),
        ("output tokens", answer.usage.output, budget.max_tokens),
        (
            "input tokens",
            answer.usage.input + answer.usage.cache_read + answer.usage.cache_write,
            budget.max_input_tokens,
        ),
        ("dollars", answer.cost_usd, budget.max_usd if _priced(answer) else None),
    ]
    if all(ceiling is None for _, _, ceiling in spent):
        return None
    over = [
        f"{amount} {name} of {ceiling}"
        for name, amount, ceiling in spent
        if ceiling is not None and (amount is None or amount > ceiling)
    ]
    return Check("budget", ok=not over, reason=f"over budget: {', '.join(over)}" if over else "within the budget")


def _priced(answer: Answer) -> bool:
    """Whether dollars can be judged at all: an answer without a single token cost nothing, whatever the price is."""
    return answer.cost_usd is not None or answer.usage.output > 0


def check_tools(expect: Expect, answer: Answer) -> Check | None:
    """Only allowed and no forbidden tools were called; a refused call counts, because it was tried."""
    if expect.tools_allowed is None and not expect.tools_forbidden:
        return None
    used = sorted({call.name for call in answer.calls})
    wrong = [
        name
        for name in used
        if name in expect.tools_forbidden or (expect.tools_allowed is not None and name not in expect.tools_allowed)
    ]
    reason = f"called {', '.join(wrong)}" if wrong else "only allowed tools were called"
    return Check("tools", ok=not wrong, reason=clean(reason))
