import pytest

from stockroom import Ledger, OutOfStock, release, reserve
from stockroom.reserve import reserve_all


def test_exactly_what_is_there():
    assert reserve(Ledger({"bolt": 12}), "bolt", 12) == 0


def test_exactly_what_is_left():
    ledger = Ledger({"bolt": 12})
    reserve(ledger, "bolt", 5)
    assert reserve(ledger, "bolt", 7) == 0
    assert ledger.on_shelf("bolt") == 12


def test_one_more_than_is_there():
    with pytest.raises(OutOfStock):
        reserve(Ledger({"bolt": 12}), "bolt", 13)


def test_one_less_than_is_there():
    assert reserve(Ledger({"bolt": 12}), "bolt", 11) == 1


def test_unknown_article():
    with pytest.raises(OutOfStock):
        reserve(Ledger(), "nut", 1)


def test_nothing():
    with pytest.raises(ValueError):
        reserve(Ledger({"bolt": 12}), "bolt", 0)


def test_given_back_is_free_again():
    ledger = Ledger({"bolt": 3})
    reserve(ledger, "bolt", 3)
    release(ledger, "bolt", 2)
    assert reserve(ledger, "bolt", 2) == 0


def test_all_or_none():
    ledger = Ledger({"bolt": 3, "nut": 2})
    with pytest.raises(OutOfStock):
        reserve_all(ledger, {"bolt": 3, "nut": 3})
    assert ledger.free("bolt") == 3
    assert reserve_all(ledger, {"bolt": 3, "nut": 2}) == 2


def test_how_many_are_missing():
    try:
        missing = reserve(Ledger({"bolt": 12}), "bolt", 15)
    except OutOfStock as refusal:
        missing = refusal.missing
    assert missing == 3
