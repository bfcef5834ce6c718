from tidewatch.readings import office_key


def test_north():
    assert office_key("north") == 48213077


def test_south():
    assert office_key("south") == 90336412


def test_pier():
    assert office_key("pier") == 17750298


def test_lock():
    assert office_key("lock") == 63108845
