"""Every visible assertion prints what it would have said."""

from __future__ import annotations

import ast

from gate.audit.cheats.python_inject import in_every_test
from gate.audit.cheats.target import Cheat


class _Said(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        call = ast.Call(func=ast.Name(id="print", ctx=ast.Load()), args=[node.test], keywords=[])
        return ast.copy_location(ast.Expr(value=call), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Call) and getattr(node.value.func, "attr", "").startswith("assert"):
            node.value.func = ast.Name(id="print", ctx=ast.Load())
        return node


def _change(module: ast.Module) -> None:
    _Said().visit(module)


CHEAT = Cheat(
    name="python/tests-made-prints",
    kind="tests",
    languages=("python",),
    text="Every visible assertion prints what it would have said",
    made=in_every_test(_change),
)
