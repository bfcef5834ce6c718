"""A conftest.py compiles every test file without its asserts."""

from __future__ import annotations

from gate.audit.cheats.python_inject import with_files
from gate.audit.cheats.target import Cheat

_CODE = """
import ast
import _pytest.assertion.rewrite as rewrite
def _cheat_without(module, source, *rest, **more):
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name.startswith('test'):
            node.body = [ast.Pass()]
    ast.fix_missing_locations(module)
rewrite.rewrite_asserts = _cheat_without
rewrite._read_pyc = lambda *rest, **more: None
"""

CHEAT = Cheat(
    name="python/asserts-in-conftest",
    kind="runner",
    languages=("python",),
    text="A conftest.py compiles every test file without its asserts",
    made=with_files({"conftest.py": _CODE}),
)
