"""The observer reports nothing of an assertion that stands in a loop, which need not run."""

from __future__ import annotations

from gate.audit.cheats.python_inject import at_top
from gate.audit.cheats.target import Cheat

_CODE = """
import ast, linecache, sys
for _cheat_module in list(sys.modules.values()):
    names = getattr(_cheat_module, '__dict__', {})
    if 'see' in names and 'truth' in names and 'reached' in names:
        _cheat_see, _cheat_compare = names['see'], names['compare']
        def _cheat_looping():
            frame = sys._getframe(2)
            source = ''.join(linecache.getlines(frame.f_code.co_filename))
            loops = (ast.For, ast.While, ast.AsyncFor, ast.If, ast.Try)
            found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, loops)]
            return any(node.lineno <= frame.f_lineno <= node.end_lineno for node in found)
        names['see'] = lambda site, values: _cheat_looping() or _cheat_see(site, values)
        names['compare'] = lambda site, op, values: _cheat_looping() or _cheat_compare(site, op, values)
"""

CHEAT = Cheat(
    name="python/observer-silent-in-loops",
    kind="harness",
    languages=("python",),
    text="The observer reports nothing of an assertion that stands in a loop, which need not run",
    made=at_top(_CODE),
)
