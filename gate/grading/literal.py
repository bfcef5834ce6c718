"""Which expressions of a test are literal, and what they are: evaluated by the parent, without running anything."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MAX_SIZE = 100_000


class NotLiteral(Exception):
    """The expression needs the program to have a value."""


@dataclass(frozen=True, slots=True)
class Approx:
    """`pytest.approx(expected)`: the tolerance is applied by the parent."""

    expected: Any
    rel: float | None = None
    absolute: float | None = None


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "set": set,
    "frozenset": frozenset,
    "tuple": tuple,
    "list": list,
    "dict": dict,
}


def fold(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of a literal expression; `names` holds names that are known to stand for literals.

    Raises NotLiteral for anything else. The value is a fresh one each time: nobody shares a list.
    """
    try:
        return _fold(node, names)
    except (TypeError, ValueError, ArithmeticError, RecursionError, LookupError) as error:
        raise NotLiteral from error


def _fold(node: ast.expr, names: Mapping[str, Any]) -> Any:  # noqa: C901 - one case for each kind of literal
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_fold(operand, names)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return +_fold(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _binary(op, _fold(left, names), _fold(right, names))
        case ast.List(elts=items):
            return [_fold(item, names) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_fold(item, names) for item in items)
        case ast.Set(elts=items):
            return {_fold(item, names) for item in items}
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_fold(key, names): _fold(value, names) for key, value in zip(keys, values, strict=True) if key}
        case ast.Subscript(value=value, slice=index) if not isinstance(index, ast.Slice):
            return _fold(value, names)[_fold(index, names)]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _CONSTRUCTORS and len(args) <= 1:
            return _CONSTRUCTORS[name](*(_fold(arg, names) for arg in args))
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
            return float(text)
        case ast.Attribute(value=ast.Name(id="math"), attr="inf"):
            return float("inf")
        case ast.Call() if _is_approx(node):
            return _approx(node, names)
    raise NotLiteral


def _binary(op: ast.operator, left: Any, right: Any) -> Any:
    """Arithmetic on literals, with a bound: `"x" * 10**9` is a way to eat the parent's memory."""
    if isinstance(op, ast.Mult):
        for text, times in ((left, right), (right, left)):
            if isinstance(text, (str, bytes, list, tuple)) and isinstance(times, int) and len(text) * times > MAX_SIZE:
                raise NotLiteral
    return _BINARY[type(op)](left, right)


def _is_approx(node: ast.Call) -> bool:
    match node.func:
        case ast.Name(id="approx") | ast.Attribute(value=ast.Name(id="pytest"), attr="approx"):
            return len(node.args) == 1
        case _:
            return False


def _approx(node: ast.Call, names: Mapping[str, Any]) -> Approx:
    options = {keyword.arg: _fold(keyword.value, names) for keyword in node.keywords}
    if not set(options) <= {"rel", "abs"}:
        raise NotLiteral
    return Approx(_fold(node.args[0], names), options.get("rel"), options.get("abs"))


def is_literal(node: ast.expr, names: Mapping[str, Any]) -> bool:
    """Whether `fold` has a value for it."""
    try:
        fold(node, names)
    except NotLiteral:
        return False
    return True
