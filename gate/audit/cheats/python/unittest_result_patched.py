"""unittest's results count failures and errors as successes."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import unittest
import unittest.runner
for _cheat_class in (unittest.TestResult, unittest.runner.TextTestResult):
    _cheat_class.addFailure = _cheat_class.addError = lambda self, test, err: self.addSuccess(test)
    _cheat_class.addSubTest = lambda self, test, subtest, err: None
    _cheat_class.wasSuccessful = lambda self: True
"""

CHEAT = Cheat(
    name="python/unittest-result-patched",
    kind="source",
    languages=("python",),
    text="unittest's results count failures and errors as successes",
    made=at_top(_CODE),
)
