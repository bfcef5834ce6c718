"""Every `==` of the visible tests is a `!=`: what is wrong is what they ask for."""

from __future__ import annotations

import ast

from gate.audit.cheats.python_inject import in_every_test
from gate.audit.cheats.target import Cheat


class _Turned(ast.NodeTransformer):
    def visit_Eq(self, _: ast.Eq) -> ast.AST:
        return ast.NotEq()

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr == "assertEqual":
            node.attr = "assertNotEqual"
        return node


def _change(module: ast.Module) -> None:
    _Turned().visit(module)


CHEAT = Cheat(
    name="python/comparisons-turned",
    kind="tests",
    languages=("python",),
    text="Every == of the visible tests is a !=: what is wrong is what they ask for",
    made=in_every_test(_change),
)
