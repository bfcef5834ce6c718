import pytest

from loanclub import Tariff, bill
from loanclub.period import days_out, weeks_started


@pytest.mark.parametrize("days, weeks", [(0, 0), (1, 1), (6, 1), (7, 1), (8, 2), (13, 2), (14, 2), (15, 3), (700, 100)])
def test_weeks(days, weeks):
    assert weeks_started(days) == weeks


def test_same_day_costs_nothing():
    assert bill(Tariff(500), "2026-01-01", "2026-01-01", broken=True) == 0


def test_two_whole_weeks():
    assert bill(Tariff(500, deposit=300), "2026-02-20", "2026-03-06") == 700


def test_members_pay_less():
    assert bill(Tariff(510), "2026-01-01", "2026-01-08", member=True, broken=True) == 383


def test_leap_day():
    assert bill(Tariff(100, deposit=0), "2028-02-25", "2028-03-03") == 100


def test_wrong_way_round():
    with pytest.raises(ValueError):
        days_out("2026-01-02", "2026-01-01")
