"""The generated loops over `zip(inputs, results)` of the extended sets, written out as one assertion a row.

Only then are the expected values literals of an assertion, which can stay with the parent; and only then is the array
library not needed that these loops import to compare floats. What has another form stays as it is.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass

RELATIVE = 1e-7
ABSOLUTE = 1e-6


@dataclass(frozen=True, slots=True)
class _Loop:
    """`for i, (given, due) in enumerate(zip(inputs, results)): helper(seen, wanted, tolerance)`."""

    inputs: list[ast.expr]
    results: list[ast.expr]
    given: str
    due: str
    helper: str
    seen: ast.expr
    wanted: ast.expr
    tolerance: float


def unrolled(body: list[ast.stmt], module: list[ast.stmt]) -> list[ast.stmt]:
    """The statements with the loop written out, and the helpers that nothing uses then taken out of `module`.

    `module` is changed in place; the statements are returned.
    """
    loop = _loop_of(body)
    if loop is None:
        return body
    relative = _relative(loop.helper, module)
    if relative is None:
        return body
    try:
        made = [_assertion(loop, given, due, relative) for given, due in zip(loop.inputs, loop.results, strict=True)]
    except ValueError:
        return body
    _drop_unused(module, loop.helper)
    if any(_is_approx(item) for assertion in made for item in ast.walk(assertion)):
        module.insert(0, ast.Import(names=[ast.alias("pytest")]))
    return made


def _loop_of(body: list[ast.stmt]) -> _Loop | None:
    match [item for item in body if not _is_docstring(item)]:
        case [
            ast.Assign(targets=[ast.Name(id=first)], value=ast.List(elts=inputs)),
            ast.Assign(targets=[ast.Name(id=second)], value=ast.List(elts=results)),
            ast.For(
                target=ast.Tuple(elts=[ast.Name(id=index), ast.Tuple(elts=[ast.Name(id=given), ast.Name(id=due)])]),
                iter=ast.Call(
                    func=ast.Name(id="enumerate"),
                    args=[ast.Call(func=ast.Name(id="zip"), args=[ast.Name(id=left), ast.Name(id=right)])],
                ),
                body=[ast.Expr(value=ast.Call(func=ast.Name(id=helper), args=[seen, wanted, tolerance], keywords=[]))],
                orelse=[],
            ),
        ] if (first, second) == (left, right) and len(inputs) == len(results) and inputs:
            tolerated = _number(tolerance)
            if tolerated is None or index in _names(seen) | _names(wanted) or due in _names(seen):
                return None
            return _Loop(inputs, results, given, due, helper, seen, wanted, tolerated)
        case _:
            return None


def _is_docstring(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def _number(node: ast.expr) -> float | None:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case _:
            return None


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _relative(helper: str, module: list[ast.stmt]) -> float | None:
    """The relative tolerance of the row's own helper `(out, exp, atol)`; None where it is another one."""
    found = [item for item in module if isinstance(item, ast.FunctionDef) and item.name == helper]
    if len(found) != 1 or [len(found[0].args.args), len(found[0].args.kwonlyargs)] != [3, 0]:
        return None
    for node in ast.walk(found[0]):
        match node:
            case ast.Call(func=ast.Attribute(attr="allclose" | "assert_allclose" as attr), keywords=keywords):
                given = {keyword.arg: _number(keyword.value) for keyword in keywords}
                return given.get("rtol", RELATIVE if attr == "assert_allclose" else 1e-5)
            case _:
                continue
    return None


def _assertion(loop: _Loop, given: ast.expr, due: ast.expr, relative: float) -> ast.stmt:
    """One row. Raises ValueError where what is due is no literal."""
    seen = _Put({loop.given: given}).visit(copy.deepcopy(loop.seen))
    wanted = _Put({loop.due: due}).visit(copy.deepcopy(loop.wanted))
    if isinstance(loop.wanted, ast.Name):
        value = _literal(due)
        tolerance = loop.tolerance or (ABSOLUTE if _floats(value) else 0.0)
        if tolerance:
            wanted = _approx(wanted, relative, tolerance)
    elif loop.tolerance or not _is_set_of(loop.wanted, loop.due):
        raise ValueError("another comparison than of the result itself")
    return ast.Assert(test=ast.Compare(left=seen, ops=[ast.Eq()], comparators=[wanted]))


def _is_set_of(node: ast.expr, due: str) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="set"), args=[ast.Name(id=name)], keywords=[]):
            return name == due
        case _:
            return False


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("no literal") from error


def _floats(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def _approx(wanted: ast.expr, relative: float, absolute: float) -> ast.expr:
    """The generator's rule is |out - exp| <= atol + rtol * |exp|; `approx` takes the larger of the two, and is at most
    half as tolerant where both are of one size."""
    call = ast.parse(f"pytest.approx(0, rel={relative!r}, abs={absolute!r})", mode="eval").body
    assert isinstance(call, ast.Call)  # noqa: S101  # what was just written
    call.args = [wanted]
    return call


def _is_approx(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "approx"


def _drop_unused(module: list[ast.stmt], helper: str) -> None:
    """Take out the helper, then every function and import that nothing else in the module reads any more."""
    gone = {helper}
    while gone:
        module[:] = [item for item in module if not _only_binds(item, gone)]
        read = set().union(*(_names(item) for item in module))
        bound = {name for item in module if isinstance(item, (ast.FunctionDef, ast.Import)) for name in _binds(item)}
        gone = {name for name in bound - read if not name.startswith(("test", "check"))}


def _binds(item: ast.stmt) -> set[str]:
    if isinstance(item, ast.FunctionDef):
        return {item.name}
    if isinstance(item, ast.Import):
        return {(alias.asname or alias.name).split(".")[0] for alias in item.names}
    return set()


def _only_binds(item: ast.stmt, names: set[str]) -> bool:
    own = _binds(item)
    return bool(own) and own <= names


class _Put(ast.NodeTransformer):
    """Puts expressions in the place of names; `*name` of a written-down list becomes its elements."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self._values.get(node.id, node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        args: list[ast.expr] = []
        for arg in node.args:
            match arg:
                case ast.Starred(value=ast.List(elts=items) | ast.Tuple(elts=items)):
                    args.extend(items)
                case _:
                    args.append(arg)
        node.args = args
        return node
