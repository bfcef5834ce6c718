"""The many ways to assert in Python, brought to three: a comparison, a truth, an exception."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """`operands[0] ops[0] operands[1] …`, or its contrary."""

    operands: tuple[ast.expr, ...]
    ops: tuple[str, ...]
    negated: bool
    node: ast.expr | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """An expression that must be true, or false."""

    node: ast.expr
    positive: bool


@dataclass(frozen=True, slots=True)
class Raising:
    """`expected` is a class or a tuple of classes; `match` a pattern, or None. `call` for the form without `with`."""

    expected: ast.expr
    match: ast.expr | None
    call: ast.Call | None = None


@dataclass(frozen=True, slots=True)
class Quantified:
    """`all` or `any` over a comparison, with the generators that it runs over, or its contrary."""

    compared: Compared
    generators: tuple[ast.comprehension, ...]
    every: bool
    negated: bool
    node: ast.expr


Claim = Compared | Condition | Raising | Quantified

_UNITTEST: Mapping[str, str] = {
    "assertEqual": "==",
    "assertEquals": "==",
    "assertListEqual": "==",
    "assertTupleEqual": "==",
    "assertDictEqual": "==",
    "assertSetEqual": "==",
    "assertMultiLineEqual": "==",
    "assertSequenceEqual": "sequence",
    "assertCountEqual": "count",
    "assertNotEqual": "!=",
    "assertIs": "is",
    "assertIsNot": "is not",
    "assertIn": "in",
    "assertNotIn": "not in",
    "assertLess": "<",
    "assertLessEqual": "<=",
    "assertGreater": ">",
    "assertGreaterEqual": ">=",
    "assertRegex": "search",
}


def claims_of_test(node: ast.expr, positive: bool = True) -> Iterator[Claim]:
    """The claims of `assert node`: conjunctions come apart, negations turn the claim around."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from claims_of_test(operand, not positive)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is positive:
            for value in values:
                yield from claims_of_test(value, positive)
        case ast.BoolOp(op=ast.Or(), values=values) if (member := _membership(values)) is not None:
            yield Compared(member, ("in",), not positive, node)
        case ast.Call(func=ast.Name(id="all" | "any" as name), args=[ast.GeneratorExp() | ast.ListComp() as inner]):
            claim = _quantified(node, name == "all", inner, positive)
            yield claim or Condition(node, positive)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            names = tuple(OPERATORS[type(op)] for op in ops)
            yield Compared((left, *comparators), names, not positive, node)
        case ast.Call(
            func=ast.Attribute(value=receiver, attr="startswith" | "endswith" as op), args=[arg], keywords=[]
        ):
            yield Compared((receiver, arg), (op,), not positive, node)
        case _:
            yield Condition(node, positive)


def _membership(values: list[ast.expr]) -> tuple[ast.expr, ast.expr] | None:
    """`x == a or x == b` is `x in (a, b)`, and that can be observed."""
    sides = []
    for value in values:
        match value:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                sides.append((left, right))
            case _:
                return None
    if len({ast.dump(left) for left, _ in sides}) != 1:
        return None
    return sides[0][0], ast.Tuple(elts=[right for _, right in sides], ctx=ast.Load())


def _quantified(
    node: ast.expr, every: bool, inner: ast.GeneratorExp | ast.ListComp, positive: bool
) -> Quantified | None:
    parts = list(claims_of_test(inner.elt))
    plain = not any(comprehension.is_async for comprehension in inner.generators)
    if plain and len(parts) == 1 and isinstance(parts[0], Compared):
        return Quantified(parts[0], tuple(inner.generators), every, not positive, node)
    return None


def claims_of_call(call: ast.Call) -> list[Claim] | None:
    """The claims of a call statement that asserts (`self.assertEqual(a, b)`, `pytest.raises(E, f, x)`), or None."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="self"), attr=attr) if attr.startswith("assert"):
            return _unittest(attr, call)
        case ast.Attribute(value=ast.Name(id="pytest"), attr="raises") | ast.Name(id="raises") if len(call.args) >= 2:
            return [Raising(call.args[0], None, _later(call, 1))]
    return None


def _unittest(attr: str, call: ast.Call) -> list[Claim] | None:
    args = call.args
    if attr in _UNITTEST and len(args) >= 2:
        return [Compared((args[0], args[1]), (_UNITTEST[attr],), negated=False)]
    if attr in ("assertTrue", "assertFalse") and args:
        return list(claims_of_test(args[0], attr == "assertTrue"))
    if attr in ("assertIsNone", "assertIsNotNone") and args:
        op = "is" if attr == "assertIsNone" else "is not"
        return [Compared((args[0], ast.Constant(value=None)), (op,), negated=False)]
    if attr in ("assertIsInstance", "assertNotIsInstance") and len(args) >= 2:
        test = ast.Call(func=ast.Name(id="isinstance", ctx=ast.Load()), args=list(args[:2]), keywords=[])
        return [Condition(test, attr == "assertIsInstance")]
    if attr in ("assertAlmostEqual", "assertNotAlmostEqual") and len(args) >= 2:
        return _almost(attr, call)
    if attr == "assertRaises" and len(args) >= 2:
        return [Raising(args[0], None, _later(call, 1))]
    if attr == "assertRaisesRegex" and len(args) >= 3:
        return [Raising(args[0], args[1], _later(call, 2))]
    return None


def _almost(attr: str, call: ast.Call) -> list[Claim] | None:
    """`assertAlmostEqual(a, b, places=7)` as a comparison with `approx(b, abs=…)`."""
    options = {keyword.arg: keyword.value for keyword in call.keywords}
    given: list[ast.expr | None] = [*call.args[2:]]
    match given or [options.get("places")], options.get("delta"):
        case _, ast.Constant(value=int() | float() as delta):
            absolute = float(delta)
        case [None], None:
            absolute = 0.5e-7
        case [ast.Constant(value=int() as places)], None:
            absolute = 0.5 * 10.0**-places
        case _:
            return None
    keyword = ast.keyword(arg="abs", value=ast.Constant(value=absolute))
    expected = ast.Call(func=ast.Name(id="approx", ctx=ast.Load()), args=[call.args[1]], keywords=[keyword])
    return [Compared((call.args[0], expected), ("==",), attr == "assertNotAlmostEqual")]


def _later(call: ast.Call, first: int) -> ast.Call:
    """`raises(E, f, x)` as `f(x)`."""
    return ast.Call(func=call.args[first], args=call.args[first + 1 :], keywords=call.keywords)


def raising_of(item: ast.withitem) -> Raising | None:
    """The claim of `with pytest.raises(E, match=…)` or `with self.assertRaises(E)`, or None for another context."""
    match item.context_expr:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="pytest"), attr="raises") | ast.Name(id="raises")) as call:
            options = {keyword.arg: keyword.value for keyword in call.keywords}
            if len(call.args) == 1 and set(options) <= {"match"}:
                return Raising(call.args[0], options.get("match"))
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="assertRaises"), args=[expected], keywords=[]):
            return Raising(expected, None)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="self"), attr="assertRaisesRegex"), args=[expected, pattern]
        ):
            return Raising(expected, pattern)
        case _:
            pass
    return None
