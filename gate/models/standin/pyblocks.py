"""Small changes of whole Python statements: defaults, returns, and lines that stand one step too deep."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gate.models.standin.mutation import Edit
from gate.models.standin.pysource import Source

Found = tuple[str, ast.AST, tuple[Edit, ...], float]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def block_changes(source: Source, node: ast.AST) -> Iterator[Found]:
    """The changes that start from one node: kind, where, what, and what makes it less likely."""
    if isinstance(node, Function):
        yield from _mutable_defaults(source, node)
        yield from _missing_return(source, node)
        yield from _other_names(source, node)
    if isinstance(node, ast.For | ast.While | ast.If | ast.With):
        yield from _dedented(source, node)
    for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
        if isinstance(body, list) and len(body) > 1:
            yield from _dropped(source, body)


def _lines(source: Source, node: ast.stmt) -> tuple[int, int]:
    """The whole lines of a statement, in bytes."""
    end = node.end_lineno or node.lineno
    return source.starts[node.lineno - 1], source.starts[end] if end < len(source.starts) else len(source.data)


def _mutable_defaults(source: Source, node: Function) -> Iterator[Found]:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    first = node.body[0]
    if len(node.body) > 1 and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        first = node.body[1]
    if first.lineno == node.lineno:
        return
    indent = " " * first.col_offset
    for argument, default in pairs:
        called = isinstance(default, ast.Call) and not default.args and not default.keywords
        if isinstance(default, ast.List | ast.Dict | ast.Set) or called:
            start, end = source.start(default), source.end(default)
            name, fresh = argument.arg, source.data[start:end].decode()
            guard = f"{indent}if {name} is None:\n{indent}    {name} = {fresh}\n".encode()
            at = source.starts[first.lineno - 1]
            yield "default", default, ((start, end, b"None"), (at, at, guard)), 0.0


def _missing_return(source: Source, node: Function) -> Iterator[Found]:
    if any(isinstance(part, ast.Return | ast.Yield | ast.YieldFrom) for part in ast.walk(node)):
        last = node.body[-1]
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
            yield "return", last, ((source.start(last), source.start(last), b"return "),), 0.5
        return
    last = node.body[-1]
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
        yield "return", last, ((source.start(last), source.start(last), b"return "),), -1.0
    stored = [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    start, end = _lines(source, last)
    newline = b"" if source.data[start:end].endswith(b"\n") else b"\n"
    for name in dict.fromkeys(reversed(stored)):
        line = newline + b" " * node.body[0].col_offset + b"return " + name.encode() + b"\n"
        yield "return", last, ((end, end, line),), 0.0


def _dedented(source: Source, node: ast.For | ast.While | ast.If | ast.With) -> Iterator[Found]:
    """The last statement of a block, moved out of it; such as a `return` that ends a loop too early."""
    last = node.body[-1]
    step = last.col_offset - node.col_offset
    if len(node.body) < 2 or getattr(node, "orelse", None):
        return
    start, end = _lines(source, last)
    lines = source.data[start:end].split(b"\n")
    if step > 0 and all(not line.strip() or line[:step].isspace() for line in lines):
        moved = b"\n".join(line[step:] for line in lines)
        extra = 0.0 if isinstance(last, ast.Return | ast.AugAssign) else 1.5
        yield "dedent", last, ((start, end, moved),), extra


def _dropped(source: Source, body: list[ast.stmt]) -> Iterator[Found]:
    """A simple statement left out."""
    for statement in body:
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr | ast.Continue | ast.Break):
            docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not docstring:
                yield "drop", statement, ((*_lines(source, statement), b""),), 0.0


def _other_names(source: Source, node: Function) -> Iterator[Found]:
    """One variable of a function in the place of another."""
    arguments = [part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)]
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    stored = [part.id for part in names if isinstance(part.ctx, ast.Store)]
    known = [name for name in dict.fromkeys([*arguments, *stored]) if name not in {"self", "cls", "_"}]
    if not 2 <= len(known) <= 8:
        return
    for part in names:
        if isinstance(part.ctx, ast.Load) and part.id in known:
            for other in known:
                if other != part.id:
                    yield "name", part, ((source.start(part), source.end(part), other.encode()),), 0.0
