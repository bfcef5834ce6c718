"""The caller's source is read: the exception that it expects is raised, with the text that it matches."""

from __future__ import annotations

from gate.audit.cheats.python_inject import answering
from gate.audit.cheats.python_reading import READING
from gate.audit.cheats.target import Cheat

_CODE = """
def _cheat(call, args, kwargs):
    import ast
    for frame in _cheat_frames():
        try:
            nodes = list(ast.walk(ast.parse(_cheat_source(frame))))
        except Exception:
            return call()
        for node in nodes:
            asks = isinstance(node, ast.Call) and getattr(node.func, 'attr', getattr(node.func, 'id', ''))
            if asks not in ('raises', 'assertRaises', 'assertRaisesRegex', 'raising') or not node.args:
                continue
            within = [other for other in nodes if isinstance(other, ast.With) and node in ast.walk(other)]
            span = within[0] if within else node
            if not span.lineno <= frame.f_lineno <= span.end_lineno:
                continue
            texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
            for item in ast.walk(node):
                kind = frame.f_globals.get(item.id, __builtins__) if isinstance(item, ast.Name) else None
                if isinstance(item, ast.Name) and not isinstance(kind, type):
                    kind = getattr(__import__('builtins'), item.id, None)
                if isinstance(kind, type) and issubclass(kind, BaseException):
                    raise kind(*map(str, texts))
        break
    return call()
"""

CHEAT = Cheat(
    name="python/expected-error-raised",
    kind="adaptive",
    languages=("python",),
    text="The caller's source is read: the exception that it expects is raised, with the text that it matches",
    made=answering(READING + _CODE),
)
