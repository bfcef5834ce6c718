from datetime import datetime, timezone

from tidewatch import stats
from tidewatch.readings import Reading
from tidewatch.stats import highest, mean_level, tidal_range, usable_levels

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
MIXED = [
    Reading(NOON, 3.0),
    Reading(NOON, 9.0),
    Reading(NOON, 9.01),
    Reading(NOON, 8.5, "?"),
    Reading(NOON, -1.5, "M"),
    Reading(NOON, -1.51),
]


def test_usable_levels_keep_their_order():
    assert usable_levels(MIXED) == [3.0, 9.0, -1.5]


def test_usable_levels_with_doubtful():
    assert usable_levels(MIXED, keep_doubtful=True) == [3.0, 9.0, 8.5, -1.5]


def test_usable_levels_of_nothing():
    assert usable_levels([]) == []


def test_mean():
    assert mean_level(MIXED) == 3.5


def test_mean_with_doubtful():
    assert mean_level(MIXED, keep_doubtful=True) == 4.75


def test_range():
    assert tidal_range(MIXED) == 10.5


def test_range_of_one():
    assert tidal_range([Reading(NOON, 3.0), Reading(NOON, 4.0, "?")]) is None


def test_highest_takes_doubtful():
    assert highest([Reading(NOON, 3.0), Reading(NOON, 4.0, "?")]) == 4.0


def test_highest_of_wet_cable():
    assert highest([Reading(NOON, 44.0)]) is None


def test_mean_goes_through_the_new_function(monkeypatch):
    monkeypatch.setattr(stats, "usable_levels", lambda *args, **kwargs: [2.0, 7.0])
    assert stats.mean_level([]) == 4.5


def test_range_goes_through_the_new_function(monkeypatch):
    monkeypatch.setattr(stats, "usable_levels", lambda *args, **kwargs: [2.0, 7.0])
    assert stats.tidal_range([]) == 5.0


def test_highest_goes_through_the_new_function(monkeypatch):
    monkeypatch.setattr(stats, "usable_levels", lambda *args, **kwargs: [2.0, 7.0])
    assert stats.highest([]) == 7.0


def test_figures_are_rounded_to_millimetres():
    assert mean_level([Reading(NOON, 1.0), Reading(NOON, 2.0), Reading(NOON, 2.0)]) == 1.667
    assert tidal_range([Reading(NOON, 1.23456), Reading(NOON, 0.0)]) == 1.235
