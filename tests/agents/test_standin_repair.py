"""The stand-in repairs by small changes that real tests prove; what it cannot prove it does not leave behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.models.standin.understand import understand
from gate.outcome import AnswerStatus
from gate.sandbox.fence import Fence
from tests.agents.bench import Repo, loop, node_argv, pytest_argv

BUDGET = {"max_tool_calls": 60, "max_tokens": 16000, "timeout_s": 120.0}

STOCK = {
    "stock/__init__.py": "from stock.ledger import Ledger\n",
    "stock/ledger.py": '''"""What is on the shelf."""


class Ledger:
    def __init__(self):
        self.items = {}

    def add(self, name, count):
        self.items[name] = self.items.get(name, 0) + count

    def take(self, name, count):
        if self.items.get(name, 0) > count:
            self.items[name] -= count
            return True
        return False
''',
    "tests/test_ledger.py": """from stock import Ledger


def test_the_last_piece_can_be_taken():
    ledger = Ledger()
    ledger.add("nut", 2)
    assert ledger.take("nut", 2) is True


def test_more_than_there_is_cannot():
    assert Ledger().take("nut", 1) is False
""",
    "conftest.py": "",
}

PAGER = {
    "lib/pager.js": """exports.pages = function (total, size) {
  return Math.floor(total / size);
};

exports.slice = function (items, page, size) {
  return items.slice(page * size, (page + 1) * size - 1);
};
""",
    "test/pager.test.js": """const test = require('node:test');
const assert = require('node:assert');
const { pages, slice } = require('../lib/pager');

test('a started page is a page', () => {
  assert.equal(pages(5, 2), 3);
  assert.equal(pages(4, 2), 2);
});

test('a page holds its size', () => {
  assert.deepEqual(slice([1, 2, 3], 0, 2), [1, 2]);
});
""",
}


def test_a_python_repair_in_the_copy(scratch: Path, fence: Fence) -> None:
    """A wrong boundary is found by the failing test, changed in one place, and proven; the tests stay as they are."""
    repo = Repo.laid(scratch, fence, STOCK)
    prompt = "The last piece cannot be taken. `tests/test_ledger.py` has a failing test. Find the cause and fix it."
    answer = repo.answered(loop(), prompt, test_argv=pytest_argv("tests"), budget=BUDGET)
    assert answer.status is AnswerStatus.DONE
    assert repo.changed() == {
        "stock/ledger.py": STOCK["stock/ledger.py"].replace("get(name, 0) > count", "get(name, 0) >= count")
    }
    assert answer.message.startswith("I changed stock/ledger.py, line 12")


def test_two_javascript_defects_are_repaired_one_after_the_other(scratch: Path, fence: Fence) -> None:
    """A change that leaves fewer failures is kept as the ground for the next one, until all tests pass."""
    repo = Repo.laid(scratch, fence, PAGER)
    answer = repo.answered(
        loop(), "Fix the bugs in lib/pager.js.", test_argv=node_argv("test/pager.test.js"), budget=BUDGET
    )
    assert "all tests that I may run pass now" in answer.message
    changed = repo.changed()
    assert set(changed) == {"lib/pager.js"}
    assert "Math.ceil(total / size)" in str(changed["lib/pager.js"])


UNFIXABLE = {
    "m.py": "def answer():\n    return 'no'\n",
    "test_m.py": "from m import answer\n\n\ndef test_it():\n    assert answer() == {'deep': ['thing']}\n",
    "conftest.py": "",
}


@pytest.mark.parametrize("calls", [9, 20])
def test_what_was_not_proven_is_taken_back(scratch: Path, fence: Fence, calls: int) -> None:
    """When no small change helps, or the budget ends first, the copy is as it was, and it says so."""
    files = {**UNFIXABLE, "m.py": STOCK["stock/ledger.py"] + UNFIXABLE["m.py"]}
    repo = Repo.laid(scratch, fence, files)
    answer = repo.answered(
        loop(), "Fix the failing test.", test_argv=pytest_argv("test_m.py"), budget={**BUDGET, "max_tool_calls": calls}
    )
    assert answer.status is AnswerStatus.DONE
    assert "Everything is as it was." in answer.message
    assert repo.changed() == {}
    assert len(answer.calls) <= calls


def test_the_token_budget_is_kept_as_well(scratch: Path, fence: Fence) -> None:
    """With few output tokens the search stops early and still puts everything back."""
    repo = Repo.laid(scratch, fence, {**UNFIXABLE, "m.py": STOCK["stock/ledger.py"] + UNFIXABLE["m.py"]})
    answer = repo.answered(
        loop(), "Fix the failing test.", test_argv=pytest_argv("test_m.py"), budget={**BUDGET, "max_tokens": 500}
    )
    assert answer.status is AnswerStatus.DONE
    assert answer.usage.output <= 500
    assert repo.changed() == {}


DECLINED = (
    ("Fix the failing test.", None, "I may not run the tests of this task"),
    ("Fix `stock/gone.py`.", pytest_argv("tests"), "stock/gone.py, which does not exist here"),
    ("Fix the bug in take.", pytest_argv("tests/test_ledger.py", "-k", "more_than"), "pass already"),
    ("Write a poem about `Ledger`.", pytest_argv("tests"), "I did not understand this task"),
    ("Add a function `count` to stock/ledger.py.", pytest_argv("tests"), "I did not understand this task"),
)


@pytest.mark.parametrize(("prompt", "argv", "reason"), DECLINED)
def test_it_says_what_it_cannot_do_and_leaves_it(
    scratch: Path, fence: Fence, prompt: str, argv: tuple[tuple[str, ...], ...] | None, reason: str
) -> None:
    """Without tests, file, failure or idea nothing is changed, and the reason is said."""
    repo = Repo.laid(scratch, fence, STOCK)
    answer = repo.answered(loop(), prompt, test_argv=argv, budget=BUDGET)
    assert answer.status is AnswerStatus.DONE
    assert reason in answer.message
    assert "I changed nothing." in answer.message
    assert repo.changed() == {}


def test_files_that_must_stay_are_not_mutated(scratch: Path, fence: Fence) -> None:
    """A defect in a file that the task freezes is left alone."""
    repo = Repo.laid(scratch, fence, STOCK)
    prompt = "Task:\nFix the failing test.\n\nFiles that must stay as they are: stock/ledger.py\n"
    answer = repo.answered(loop(), prompt, test_argv=pytest_argv("tests"), budget={**BUDGET, "max_tool_calls": 20})
    assert repo.changed() == {}
    assert "Everything is as it was." in answer.message


@pytest.mark.parametrize("tool", ["edit_file", "write_file"])
def test_one_of_the_writing_tools_is_enough(scratch: Path, fence: Fence, tool: str) -> None:
    """The repair works with either tool alone."""
    repo = Repo.laid(scratch, fence, STOCK)
    tools = ("list_files", "read_file", "search", "run_tests", tool)
    answer = repo.answered(loop(), "Fix it: a test fails.", test_argv=pytest_argv("tests"), budget=BUDGET, tools=tools)
    assert "all tests that I may run pass now" in answer.message
    assert {call.name for call in answer.calls} <= set(tools)


REPAIRS = (
    "Fix the failing test in `tests/test_x.py`.",
    "`mean` is broken for one value.",
    "There is a bug in lib/. Find it and repair it.",
    "Two tests fail. Make the tests pass.",
)


@pytest.mark.parametrize("prompt", REPAIRS)
def test_several_phrasings_of_a_repair_are_understood(prompt: str) -> None:
    """A task that speaks of a defect is taken for a repair."""
    assert understand(prompt).kind == "repair"
