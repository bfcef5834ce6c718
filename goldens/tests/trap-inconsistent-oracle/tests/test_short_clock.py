from busline.board import clock


def test_morning_has_no_zero():
    assert clock(425) == "7:05"


def test_noon():
    assert clock(720) == "12:00"


def test_midnight():
    assert clock(0) == "0:00"
