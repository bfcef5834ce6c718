"""Names in Python sources, by syntax tree: what a test needs, what a program gives, what both import."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from gate.audit.benchmarks.recipe import RowProblem


def parse(source: str, field: str) -> ast.Module:
    """The tree of a field. Raises RowProblem when it is not Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise RowProblem(f"`{field}` is not Python: {error}") from error


def bound(node: ast.AST) -> Iterator[str]:
    """Every name that is bound in there, at any depth and in any scope."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=alias):
                yield (alias or name).split(".")[0]
            case ast.ExceptHandler(name=str() as name):
                yield name
            case _:
                pass


def free(*nodes: ast.AST) -> set[str]:
    """The names that are read and bound nowhere in there, the builtins left out."""
    read = {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}
    return read - {name for node in nodes for name in bound(node)} - set(dir(builtins))


def defined(tree: ast.Module) -> dict[str, ast.stmt]:
    """The statement at the top level that binds each name last."""
    found: dict[str, ast.stmt] = {}
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[statement.name] = statement
        else:
            found.update(dict.fromkeys(bound(statement), statement))
    return found
