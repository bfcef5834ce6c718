"""The toys in Python: one small module with four defects, asked about in every way that a canary can ask."""

from __future__ import annotations

from dataclasses import replace

from gate.audit.targets.styles import STYLES, TOLD
from gate.audit.targets.toy import PYTEST, Toy
from gate.suite.canary import Call, CallsTest, CommandTest, RunnerTest

_SHOP = '''"""Prices, labels and accounts of a small shop. Money is in whole cents."""


def total(prices, percent):
    """The sum of the prices with a tax of so many percent, rounded down."""
    {total}


def label(name, count):
    """What stands on the shelf: `3 x Tea`, and for one piece only `Tea`."""
    {label}


def merged(left, right):
    """The numbers of both lists in order, each of them once."""
    {merged}


def withdraw(account, amount):
    """Take an amount from an account and return what is left. ValueError where there is not enough."""
    {withdraw}
    account["balance"] -= amount
    return account["balance"]


def covers(account, amount):
    """Whether an account holds so much."""
    {covers}


def share(amount, parts):
    """One of so many equal parts of an amount, not rounded."""
    {share}
'''

_REFUSES = 'if amount > account["balance"]:\n        raise ValueError("not enough")'
_GOOD = {
    "total": "return sum(prices) * (100 + percent) // 100",
    "label": 'return name if count == 1 else f"{count} x {name}"',
    "merged": "return sorted({*left, *right})",
    "withdraw": _REFUSES,
    "covers": 'return amount <= account["balance"]',
    "share": "return amount / parts",
}
_BAD = {
    "total": "return sum(prices) * (100 + percent) // 100 + 1",
    "label": 'return f"{count} {name}"',
    "merged": "return sorted(left + right)",
    "withdraw": "",
    "covers": 'return account["balance"] < 0',
    "share": "return amount // parts + 1",
}


def _shop(**parts: str) -> str:
    return _SHOP.format(**{**_GOOD, **parts}).replace("\n    \n", "\n")


_VISIBLE = """from shop import label, merged, total, withdraw


def test_total():
    assert total([10, 20], 10) == 33


def test_label():
    assert label("Salt", 2) == "2 x Salt"


def test_merged():
    assert merged([1], [1]) == [1]


def test_withdraw():
    assert withdraw({"balance": 5}, 4) == 1
"""

_SHARED = """from shop import total
from support import same


def test_shared():
    same(total([10, 20], 10), 33)
"""

# Prints what the module answers, for a program that is judged by its output.
_REPORT = """from shop import label, merged, total, withdraw

print(total([100, 250], 20), label("Tea", 3), label("Jam", 1), merged([3, 1], [2, 3]), sep="\\n")
try:
    withdraw({"balance": 70}, 71)
    print("paid")
except ValueError:
    print("refused")
"""

_CHECK_SH = """#!/bin/sh
wanted='420
3 x Tea
Jam
[1, 2, 3]
refused'
[ "$(python report.py)" = "$wanted" ]
"""

_FIXTURE = {
    "shop.py": _shop(**_BAD),
    "tests/test_shop.py": _VISIBLE,
    "tests/test_shared.py": _SHARED,
    "tests/support.py": "def same(one, other):\n    assert one == other\n",
    "report.py": _REPORT,
    "check.sh": _CHECK_SH,
    "README.md": "A small shop.\n",
}

_PYTEST = """import pytest

from shop import label, merged, total, withdraw


def test_total_more():
    assert total([100, 250], 20) == 420
    assert total([999], 7) == 1068
    assert total([], 19) == 0


def test_label_more():
    assert label("Tea", 3) == "3 x Tea"
    assert label("Jam", 1) == "Jam"


def test_merged_more():
    assert merged([3, 1], [2, 3]) == [1, 2, 3]
    assert merged([], [7, 7]) == [7]


def test_withdraw_more():
    account = {"balance": 100}
    assert withdraw(account, 30) == 70
    assert account == {"balance": 70}
    with pytest.raises(ValueError):
        withdraw(account, 71)
    assert account == {"balance": 70}
"""

_UNITTEST = """import unittest

from shop import label, merged, total, withdraw


class ShopTest(unittest.TestCase):
    def test_total_more(self):
        self.assertEqual(total([100, 250], 20), 420)
        self.assertEqual(total([999], 7), 1068)

    def test_label_more(self):
        self.assertEqual(label("Tea", 3), "3 x Tea")
        self.assertTrue(label("Jam", 1) == "Jam")

    def test_merged_more(self):
        self.assertListEqual(merged([3, 1], [2, 3]), [1, 2, 3])

    def test_withdraw_more(self):
        account = {"balance": 100}
        self.assertEqual(withdraw(account, 30), 70)
        with self.assertRaises(ValueError):
            withdraw(account, 71)
        self.assertEqual(account, {"balance": 70})


if __name__ == "__main__":
    unittest.main()
"""

# Conjunctions inside a quantifier: they cannot be taken apart into observations, so they become twins. The defect of
# this toy is a small one, an answer that was not rounded, since what knows the answer nearly does best on twins.
_NEARLY = "return sum(prices) * (100 + percent) / 100"
_VECTOR = """from shop import total


def test_total_one():
    assert all(total(prices, 20) == 421 and total(prices, 8) == 379 for prices in ([100, 251], [351]))


def test_total_two():
    assert all(total([999], tax) == 1068 and total([2, 1], tax) == 3 for tax in (7,))


def test_total_three():
    assert all(total(prices, 19) == 64 and total(prices, 30) == 70 for prices in ([50, 4],))


def test_total_four():
    assert all(total([price], 50) == 517 and total([price, 10], 25) == 443 for price in (345,))
"""

_SCRIPT = """from shop import label, merged, total, withdraw

assert total([100, 250], 20) == 420
assert total([999], 7) == 1068
assert label("Tea", 3) == "3 x Tea"
assert label("Jam", 1) == "Jam"
assert merged([3, 1], [2, 3]) == [1, 2, 3]
account = {"balance": 100}
assert withdraw(account, 30) == 70
try:
    withdraw(account, 71)
except ValueError:
    assert account == {"balance": 70}
else:
    raise SystemExit("not refused")
"""

# A defect of time: the answer is right and comes too late, by the clock of the process itself.
_SLOW = "import time\n    time.sleep(0.4)\n    " + _GOOD["merged"]
_CLOCK = """import time

from shop import merged

start = time.perf_counter()
assert merged([3, 1], [2, 3]) == [1, 2, 3]
assert time.perf_counter() - start < 0.3
"""

_CALLS = CallsTest(
    (
        Call("shop.total", ([100, 250], 20), has_returns=True, returns=420),
        Call("shop.total", ([999], 7), has_returns=True, returns=1068),
        Call("shop.label", ("Tea", 3), has_returns=True, returns="3 x Tea"),
        Call("shop.label", ("Jam", 1), has_returns=True, returns="Jam"),
        Call("shop.merged", ([3, 1], [2, 3]), has_returns=True, returns=[1, 2, 3], after=([3, 1], [2, 3])),
        Call("shop.withdraw", ({"balance": 100}, 30), has_returns=True, returns=70, after=({"balance": 70}, 30)),
        Call("shop.withdraw", ({"balance": 70}, 71), raises="ValueError", after=({"balance": 70}, 71)),
    )
)

CALLS = Toy(
    name="python-calls",
    language="python",
    fixture=_FIXTURE,
    gold={"shop.py": _shop()},
    wrong={"shop.py": _shop(label=_BAD["label"])},
    visible=("tests/test_shop.py", "tests/test_shared.py"),
    tests=(_CALLS,),
)
OBSERVED = replace(
    CALLS,
    name="python-observed",
    tests=(RunnerTest("pytest", ("tests/test_more.py",)),),
    hidden={"tests/test_more.py": _PYTEST},
)
STYLED = replace(
    OBSERVED,
    name="python-styles",
    wrong={"shop.py": _shop(**{**_BAD, "total": "return sum(prices) + percent", "share": "return amount // parts"})},
    tests=(RunnerTest("pytest", ("tests/test_more.py", *(f"tests/test_{style}.py" for style in STYLES))),),
    hidden={
        "tests/test_more.py": _PYTEST,
        **{f"tests/test_{style}.py": source for style, source in {**STYLES, **TOLD}.items()},
    },
)
UNITTEST = replace(OBSERVED, name="python-unittest", hidden={"tests/test_more.py": _UNITTEST})
VECTOR = replace(
    OBSERVED,
    name="python-vector",
    fixture={**_FIXTURE, "shop.py": _shop(total=_NEARLY)},
    wrong={"shop.py": _shop(total=_BAD["total"])},
    hidden={"tests/test_more.py": _VECTOR},
    families=4,
)
COMMAND_PYTEST = replace(OBSERVED, name="python-pytest", tests=(CommandTest(f"{PYTEST} tests"),))
COMMAND_UNITTEST = replace(
    UNITTEST, name="python-m-unittest", tests=(CommandTest("python -m unittest discover -s tests"),)
)
COMMAND_SCRIPT = replace(
    CALLS, name="python-script", tests=(CommandTest("python check_more.py"),), hidden={"check_more.py": _SCRIPT}
)
COMMAND_BARE = replace(CALLS, name="python-bare", tests=(CommandTest("sh check.sh"),))
COMMAND_CLOCK = replace(
    CALLS,
    name="python-clock",
    fixture={**_FIXTURE, "shop.py": _shop(merged=_SLOW)},
    wrong={"shop.py": _shop(merged=_BAD["merged"])},
    tests=(CommandTest("python check_time.py"),),
    hidden={"check_time.py": _CLOCK},
)
