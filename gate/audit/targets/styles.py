"""The tests of the Python toy in the styles that people write them in. Each is asked about by itself."""

from __future__ import annotations

_ROWS = """import pytest

from shop import total


@pytest.mark.parametrize("price, percent, wanted", [(350, 20, 420), (999, 7, 1068), (0, 19, 0)])
def test_rows(price, percent, wanted):
    assert total([price], percent) == wanted
"""

_NAMED = """from shop import label, total


def test_named_total():
    expected = 420
    assert total([100, 250], 20) == expected


def test_named_label():
    expected = "3 x Tea"
    assert label("Tea", 3) == expected
"""

_SAID = """from shop import total


def test_said():
    'The sum is 420.'
    assert total([100, 250], 20) == 420


def test_said_too():
    'The sum is 1068.'
    assert total([999], 7) == 1068
"""

_LOOPS = """from shop import total


def test_loop_range():
    for percent in range(1, 4):
        assert total([], percent) == 0


def test_loop_pairs():
    for price, wanted in zip((100, 200), (110, 220)):
        assert total([price], 10) == wanted
"""

_QUANTIFIERS = """from shop import total


def test_all():
    assert all(total([], percent) == 0 for percent in range(1, 4))


def test_any():
    assert any(total([100], percent) == 150 for percent in (50, 60))
"""

# A truth is one bit: who answers for the observer is right about n of them once in 2^n. So there are sixteen.
_TRUTHS = """from shop import covers


def test_truths():
    assert covers({"balance": 5}, 5)
    assert covers({"balance": 9}, 2)
    assert covers({"balance": 7}, 6)
    assert covers({"balance": 12}, 12)
    assert covers({"balance": 30}, 1)
    assert covers({"balance": 4}, 3)
    assert covers({"balance": 8}, 5)
    assert covers({"balance": 100}, 99)


def test_falsehoods():
    assert not covers({"balance": 5}, 6)
    assert not covers({"balance": 0}, 1)
    assert not covers({"balance": 7}, 70)
    assert not covers({"balance": 11}, 12)
    assert not covers({"balance": 1}, 30)
    assert not covers({"balance": 3}, 4)
    assert not covers({"balance": 5}, 8)
    assert not covers({"balance": 99}, 100)
"""

_NEAR = """import math

import pytest

from shop import share


def test_near():
    assert share(1, 4) == pytest.approx(0.25)


def test_close():
    assert math.isclose(share(3, 4), 0.75)
"""

_DISTANCES = """from shop import share


def test_distance():
    assert abs(share(5, 2) - 2.5) < 0.01


def test_distance_too():
    assert abs(share(3, 2) - 1.5) <= 1e-6
"""

_REFUSALS = """import pytest

from shop import withdraw


def test_refuses():
    with pytest.raises(ValueError):
        withdraw({"balance": 1}, 2)


def test_refuses_in_words():
    with pytest.raises(ValueError, match="not enough"):
        withdraw({"balance": 5}, 6)
"""

_POSITIVE = """from shop import covers


def test_positive():
    assert covers({"balance": 5}, 5)
    assert covers({"balance": 9}, 2)
"""

_CLASSES = """from shop import share


def test_class():
    assert isinstance(share(4, 2), float)
    assert isinstance(share(9, 3), float)
"""

_ORACLE = """from shop import total


def reference(prices, percent):
    found = 0
    for price in prices:
        found += price
    return found + found * percent // 100


def test_as_the_reference():
    assert reference([100, 250], 20) == total([100, 250], 20)
    assert reference([999], 7) == total([999], 7)
"""

STYLES = {
    "rows": _ROWS,
    "named": _NAMED,
    "said": _SAID,
    "loops": _LOOPS,
    "quantifiers": _QUANTIFIERS,
    "truths": _TRUTHS,
    "near": _NEAR,
    "distances": _DISTANCES,
    "refusals": _REFUSALS,
}
"""What can be observed: the expected values leave the process."""

TOLD = {"positive": _POSITIVE, "classes": _CLASSES, "oracle": _ORACLE}
"""What the process decides by itself, or what whoever says yes to everything gets right. No structured column."""

NAMES: dict[str, tuple[str, ...]] = {
    "rows": ("test_rows[350-20-420]", "test_rows[999-7-1068]", "test_rows[0-19-0]"),
    "named": ("test_named_total", "test_named_label"),
    "said": ("test_said", "test_said_too"),
    "loops": ("test_loop_range", "test_loop_pairs"),
    "quantifiers": ("test_all", "test_any"),
    "truths": ("test_truths", "test_falsehoods"),
    "near": ("test_near", "test_close"),
    "distances": ("test_distance", "test_distance_too"),
    "refusals": ("test_refuses", "test_refuses_in_words"),
    "positive": ("test_positive",),
    "classes": ("test_class",),
    "oracle": ("test_as_the_reference",),
}
"""The tests of each style, as a report names them."""
