"""What the tests of the benchmarks share: a stand on the real fence, and data files."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gate.trials.stand import Stand

Write = Callable[..., Path]


@pytest.fixture(scope="session")
def stand() -> Iterator[Stand]:
    """The stand of an audit without a suite."""
    from gate.audit.stand import audit_stand

    with audit_stand("auto", None) as made:
        yield made


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes rows as lines of a new file."""
    number = itertools.count(1)

    def written(*rows: Any) -> Path:
        path = tmp_path / f"{next(number)}.jsonl"
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
        return path

    return written
