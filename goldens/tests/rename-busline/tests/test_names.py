import pytest

import busline.board
import busline.cli
import busline.timetable
from busline.timetable import load_trips_at, read_trips

WEEK = ["7,Chapel,06:58,06:58", "7,Mill Lane,07:05,"]


def test_new_name_reads():
    assert len(read_trips(WEEK)) == 2


def test_new_name_still_refuses():
    with pytest.raises(ValueError):
        read_trips(["7,Chapel,25:00,"])


def test_old_name_is_gone():
    assert hasattr(busline.timetable, "load_trips") is False
    assert hasattr(busline.board, "load_trips") is False


def test_neighbour_keeps_its_name():
    assert len(load_trips_at(WEEK, "Chapel")) == 1


def test_board():
    assert busline.board.board(WEEK) == ["7   CHAPEL   06:58 06:58", "7   MILL LAN 07:05"]


def test_command_line(tmp_path):
    week = tmp_path / "week.csv"
    week.write_text("\n".join(WEEK), encoding="utf-8")
    assert busline.cli.main([str(week), "--count"]) == 0
