"""What of a Python file is code that runs, and not text for people: the nodes in which a slip is looked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def walk(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node that is code which runs, parents first, in the order of the text."""
    stack: list[ast.AST] = [tree]
    silent: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in silent:
            continue
        yield node
        silent.update(map(id, _words(node)))
        if isinstance(node, ast.JoinedStr):
            continue  # before Python 3.12 what is in it has no positions of its own
        below: list[ast.AST] = []
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns"}:
                below += [
                    child for child in (value if isinstance(value, list) else [value]) if isinstance(child, ast.AST)
                ]
        stack.extend(reversed(below))


def _words(node: ast.AST) -> Iterator[ast.AST]:
    """What is said to people: by a text that stands alone, by a raised error, by a failed assertion."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        given = [*node.exc.args, *(keyword.value for keyword in node.exc.keywords)]
        yield from (item for item in given if is_text(item))
    if isinstance(node, ast.Assert) and node.msg is not None:
        yield node.msg


def is_text(node: ast.expr) -> bool:
    """Text for people, however it is put together."""
    if isinstance(node, ast.BinOp):
        return is_text(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "format" and is_text(node.func.value)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
