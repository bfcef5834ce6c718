"""The bench of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from gate.grading.bench import Bench
    from gate.sandbox.fence import Fence
    from gate.sandbox.toolchain import Toolchain


@pytest.fixture
def bench(fence: Fence, scratch: Path, python_toolchain: Toolchain, node_toolchain: Toolchain) -> Bench:
    """A bench on the real fence with both interpreters."""
    from tests.grading.bench import make_bench

    return make_bench(fence, scratch, python_toolchain, node_toolchain)
