"""Closeness as a comparison whose expected value can stay with the parent: `abs(f(x) - 2.5) < 0.1`, `math.isclose`.

Left as they are, both hold the expected value in the process, and ask a function for the verdict that the code under
test can replace (`builtins.abs`, `math.isclose`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from gate.grading.assertions import Compared, Condition

_TURNED = {">": "<", ">=": "<="}


def near(claim: Compared, literal: Callable[[ast.expr], bool]) -> Compared:
    """`abs(a - b) < t` as `a near< (b, t)`, where b and t are literal; any other comparison as it is."""
    if len(claim.ops) != 1:
        return claim
    (left, right), op = claim.operands, claim.ops[0]
    if op in _TURNED:
        left, right, op = right, left, _TURNED[op]
    match left:
        case ast.Call(
            func=ast.Name(id="abs") | ast.Attribute(value=ast.Name(id="math"), attr="fabs"),
            args=[ast.BinOp(left=one, op=ast.Sub(), right=other)],
            keywords=[],
        ) if op in ("<", "<=") and literal(right):
            found = _sides(one, other, literal)
            if found is not None:
                expected = ast.Tuple(elts=[found[1], right], ctx=ast.Load())
                return Compared((found[0], expected), (f"near{op}",), claim.negated, claim.node)
        case _:
            pass
    return claim


def close(claim: Condition, literal: Callable[[ast.expr], bool]) -> Compared | None:
    """`math.isclose(a, b, rel_tol=…, abs_tol=…)` as `a isclose (b, rel, abs)`, where all but a are literal."""
    match claim.node:
        case ast.Call(
            func=ast.Name(id="isclose") | ast.Attribute(value=ast.Name(id="math"), attr="isclose"),
            args=[one, other],
            keywords=keywords,
        ):
            options = {keyword.arg: keyword.value for keyword in keywords}
            found = _sides(one, other, literal)
            if found is None or not set(options) <= {"rel_tol", "abs_tol"} or not all(map(literal, options.values())):
                return None
            relative = options.get("rel_tol", ast.Constant(value=1e-9))
            absolute = options.get("abs_tol", ast.Constant(value=0.0))
            expected = ast.Tuple(elts=[found[1], relative, absolute], ctx=ast.Load())
            return Compared((found[0], expected), ("isclose",), not claim.positive, claim.node)
        case _:
            return None


def _sides(one: ast.expr, other: ast.expr, literal: Callable[[ast.expr], bool]) -> tuple[ast.expr, ast.expr] | None:
    """What is looked at and what is expected, or None where neither or both are literal."""
    if literal(one) is literal(other):
        return None
    return (other, one) if literal(one) else (one, other)
