"""Which assertions of JavaScript the process itself decides: what they expect, or who compares, lies beside the code.

They are graded all the same, and counted as held, because code that cheats can read or replace what they rest on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from gate.grading.jsliteral import text
from gate.grading.jssource import walk

if TYPE_CHECKING:
    from tree_sitter import Node

# Whoever answers for these is a builtin, and builtins can be replaced by the code under test.
_GLOBALS = re.compile(
    "Array|Atomics|BigInt|Boolean|Date|JSON|Map|Math|Number|Object|Reflect|RegExp|Set|String|Symbol|WeakMap|WeakSet"
    "|isDeepStrictEqual|isFinite|isNaN|parseFloat|parseInt|structuredClone|util"
)
_JUDGES = re.compile(
    "endsWith|equals|every|has|hasOwn|hasOwnProperty|includes|isPrototypeOf|localeCompare|match|propertyIsEnumerable"
    "|search|some|startsWith|test"
)
_LITERAL = ("string", "number", "array", "object", "regex", "template_string", "new_expression")


def told(node: Node) -> bool:
    """A condition that compares, or that lets a builtin or another call judge what was answered."""
    return any(part.type == "binary_expression" or _judges(part) for part in walk(node))


def told_by_distance(node: Node) -> bool:
    """`Math.abs(f(x) - 5)`: what is expected stands beside the answer, and only how far they are apart is seen."""
    return any(part.type == "binary_expression" and _sign(part) == "-" and _one_calls(part) for part in walk(node))


def near(node: Node, literal: Callable[[Node], bool]) -> tuple[Node, Node, Node, str] | None:
    """`Math.abs(a - b) < t` as (a, b, t, "<"), where b and t are literal; None for anything else."""
    if node.type != "binary_expression":
        return None
    left, right, sign = node.named_children[0], node.named_children[-1], _sign(node)
    if sign in (">", ">="):
        left, right, sign = right, left, {">": "<", ">=": "<="}[sign]
    function, arguments = left.child_by_field_name("function"), left.child_by_field_name("arguments")
    if sign not in ("<", "<=") or function is None or arguments is None or text(function) != "Math.abs":
        return None
    inner = arguments.named_children[0] if arguments.named_child_count == 1 else None
    if inner is None or inner.type != "binary_expression" or _sign(inner) != "-" or not literal(right):
        return None
    one, other = inner.named_children[0], inner.named_children[-1]
    if literal(one) is literal(other):
        return None
    return (other, one, right, sign) if literal(one) else (one, other, right, sign)


def _sign(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return text(operator) if operator is not None else ""


def _calls(node: Node) -> bool:
    return any(part.type == "call_expression" for part in walk(node))


def _one_calls(node: Node) -> bool:
    return _calls(node.named_children[0]) is not _calls(node.named_children[-1])


def _judges(node: Node) -> bool:
    """A call that is made on an answer or on a literal, gets an answer, or is a builtin's."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call_expression" or function is None:
        return False
    if arguments is not None and any(map(_calls, arguments.named_children)):
        return True
    if function.type != "member_expression":
        return _GLOBALS.fullmatch(text(function)) is not None
    owner, method = function.child_by_field_name("object"), function.child_by_field_name("property")
    if owner is None or method is None:
        return False
    if owner.type in _LITERAL or _calls(owner):
        return True
    return bool(_JUDGES.fullmatch(text(method)) or _GLOBALS.fullmatch(text(owner).partition(".")[0]))
