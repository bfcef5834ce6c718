"""Walking and copying syntax trees: what `ast.walk` and `copy.deepcopy` do, at a fraction of their cost.

Rewriting a test file walks each function a dozen times, and that is most of what the harness itself costs in a trial.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

Tree = TypeVar("Tree", bound=ast.AST)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, in the order of `ast.walk`, without the Load and Store marks."""
    todo = [node]
    for current in todo:  # grows while it is read
        yield current
        for name in current._fields:
            value = getattr(current, name, None)
            if isinstance(value, list):
                todo += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                todo.append(value)


def copied(node: Tree) -> Tree:
    """A copy that shares nothing that can change with the original."""
    made = type(node).__new__(type(node))
    made.__dict__.update({name: _copied_value(value) for name, value in node.__dict__.items()})
    return made


def _copied_value(value: object) -> object:
    if isinstance(value, list):
        return [_copied_value(item) for item in value]
    if isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
        return copied(value)
    return value
