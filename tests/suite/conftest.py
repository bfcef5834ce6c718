"""What the tests of the suite room share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suite.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A suite on disk that loads."""
    return Desk.laid(tmp_path)
