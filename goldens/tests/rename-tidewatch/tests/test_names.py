import pytest

import tidewatch.cli
import tidewatch.readings
import tidewatch.report
from tidewatch.readings import BadLine, read_readings, scan_lines_lenient


def test_new_name_reads():
    assert len(read_readings(["# serviced", "2026-03-01T04:10;2,31"])) == 1


def test_new_name_still_refuses():
    with pytest.raises(BadLine):
        read_readings(["2026-03-01T04:10;high;A"])


def test_old_name_is_gone():
    assert hasattr(tidewatch.readings, "scan_lines") is False
    assert hasattr(tidewatch.report, "scan_lines") is False


def test_neighbour_keeps_its_name():
    assert scan_lines_lenient(["2026-03-01T04:10;high", "2026-03-01T04:20;1.5"])[1] == 1


def test_command_line(tmp_path):
    log = tmp_path / "north.log"
    log.write_text("2026-03-01T04:10;2.31\n", encoding="utf-8")
    assert tidewatch.cli.main([str(log)]) == 0


def test_command_line_refuses(tmp_path):
    log = tmp_path / "north.log"
    log.write_text("2026-03-01T04:10;high\n", encoding="utf-8")
    assert tidewatch.cli.main([str(log)]) == 1
