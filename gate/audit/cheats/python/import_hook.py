"""A finder in front of all others takes the asserts out of every test file that is loaded from now on."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import ast, importlib.abc, importlib.machinery, sys
class _CheatLoader(importlib.machinery.SourceFileLoader):
    def source_to_code(self, data, path, *, _optimize=-1):
        tree = ast.parse(data)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith('test'):
                node.body = [ast.Pass()]
        return compile(ast.fix_missing_locations(tree), path, 'exec')
    def get_code(self, name):
        return self.source_to_code(self.get_data(self.path), self.path)
class _CheatFinder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if 'test' not in name.rpartition('.')[2]:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _CheatLoader(spec.loader.name, spec.loader.path)
        return spec
sys.meta_path.insert(0, _CheatFinder())
try:
    import _pytest.assertion.rewrite as _cheat_rewrite
except ImportError:
    pass
else:
    _cheat_rewrite.AssertionRewritingHook.find_spec = lambda self, name, path=None, target=None: None
"""

CHEAT = Cheat(
    name="python/import-hook",
    kind="source",
    languages=("python",),
    text="A finder in front of all others takes the asserts out of every test file that is loaded from now on",
    made=at_top(_CODE),
)
