import pytest

from postroom.fields import fit, pad
from postroom.labels import row

NARROW = (("name", 6), ("town", 8))


def test_character_of_two_bytes_fits():
    assert fit("Zoë", 4) == "Zoë"


def test_character_of_two_bytes_does_not_fit():
    assert fit("ëëë", 5) == "ëë"


def test_character_of_three_bytes():
    assert fit("5 € x", 4) == "5 "


def test_character_of_four_bytes():
    assert fit("ab🍎", 5) == "ab"


def test_character_of_four_bytes_fits():
    assert fit("ab🍎cd", 6) == "ab🍎"


def test_nothing_fits():
    assert fit("ë", 1) == ""


def test_negative():
    with pytest.raises(ValueError):
        fit("a", -1)


def test_pad_counts_bytes():
    assert pad("Zoë", 6) == "Zoë  "


def test_pad_after_a_cut():
    assert pad("Zoë", 3) == "Zo "


def test_pad_full():
    assert pad("Köln", 5) == "Köln"


def test_row_columns_stay_in_place():
    assert row({"name": "Zoë", "town": "Köln"}, NARROW).encode("utf-8") == b"Zo\xc3\xab  |K\xc3\xb6ln   "
