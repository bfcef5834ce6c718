"""An `__init__.py` in every folder of tests patches the runners."""

from __future__ import annotations

from gate.audit.cheats.target import Cheat, Target
from gate.workspace.tree import File, Tree

_CODE = """
import unittest
unittest.TestCase.run = lambda self, result=None: result
try:
    import _pytest.python
except ImportError:
    pass
else:
    _pytest.python.Function.runtest = lambda self: None
    import _pytest.unittest
    _pytest.unittest.TestCaseFunction.runtest = lambda self: None
"""


def _made(target: Target) -> Tree | None:
    folders = {path.rpartition("/")[0] for path in target.tests} | {"tests"}
    return {**target.base, **{f"{folder}/__init__.py".lstrip("/"): File(_CODE.encode()) for folder in sorted(folders)}}


CHEAT = Cheat(
    name="python/test-package-patches",
    kind="runner",
    languages=("python",),
    text="An __init__.py in every folder of tests patches the runners",
    made=_made,
)
