from busline import delays
from busline.delays import average_delay, delay_minutes, punctual_share, worst_delay
from busline.timetable import Trip


def trip(planned, actual, cancelled=False):
    return Trip("7", "Chapel", planned, actual, cancelled)


def test_late():
    assert delay_minutes(trip(600, 604)) == 4


def test_early():
    assert delay_minutes(trip(600, 590)) == -10


def test_past_midnight():
    assert delay_minutes(trip(1435, 10)) == 15


def test_early_before_midnight():
    assert delay_minutes(trip(5, 1438)) == -7


def test_half_a_day_is_not_wrapped():
    assert delay_minutes(trip(0, 720)) == 720


def test_half_a_day_back_is_not_wrapped():
    assert delay_minutes(trip(720, 0)) == -720


def test_not_seen():
    assert delay_minutes(trip(600, None)) is None


def test_worst():
    assert worst_delay([trip(600, None), trip(600, 590), trip(1435, 10)]) == 15


def test_average():
    assert average_delay([trip(600, None), trip(600, 590), trip(1435, 10)]) == 2.5


def test_share_counts_cancelled_and_not_expected():
    assert punctual_share([trip(600, 603), trip(600, 604), trip(600, None, True), trip(600, None)]) == 0.33


def test_worst_goes_through_the_new_function(monkeypatch):
    monkeypatch.setattr(delays, "delay_minutes", lambda trip: 42)
    assert delays.worst_delay([trip(600, 600)]) == 42


def test_average_goes_through_the_new_function(monkeypatch):
    monkeypatch.setattr(delays, "delay_minutes", lambda trip: 42)
    assert delays.average_delay([trip(600, 600)]) == 42.0


def test_share_goes_through_the_new_function(monkeypatch):
    monkeypatch.setattr(delays, "delay_minutes", lambda trip: 42)
    assert delays.punctual_share([trip(600, 600)]) == 0.0


def test_more_than_half_a_day_is_wrapped():
    assert delay_minutes(trip(0, 721)) == -719
    assert delay_minutes(trip(721, 0)) == 719


def test_share_of_many():
    assert punctual_share([trip(0, None, True), trip(0, None), trip(0, 0), trip(0, 3), trip(0, 4), trip(9, 6)]) == 0.6


def test_nothing_seen():
    assert worst_delay([trip(600, None)]) is None
    assert average_delay([trip(600, None)]) is None
    assert punctual_share([trip(600, None)]) is None


def test_on_time():
    assert average_delay([trip(600, 600)]) == 0.0
