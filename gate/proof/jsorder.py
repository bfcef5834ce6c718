"""Slips in a comparator that no sort can notice.

The engine asks of a comparator's answer only whether it is negative. A positive number, zero and `true` are one to it,
though by the specification a comparator that mixes them up is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    }
)
_KEEPING = frozenset({"unary_expression", "arguments", "call_expression", "parenthesized_expression"})


def _word(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def keeps_order(node: Node, kind: str, what: str) -> bool:
    """Whether a slip leaves a comparator as it was: `sort` asks of its result only whether that is negative.

    So it does where the result is a number or a comparison as it stands, and keeps its side of zero.
    """
    result: Node | None = node
    negative = False
    while result is not None and not _is_result(result):
        above = result.parent
        if above is None or above.type not in _KEEPING:
            return False
        if above.type == "unary_expression":
            negative |= _word(above.child_by_field_name("operator")) == "-"
        if (
            above.type == "arguments"
            and _word(above.parent.child_by_field_name("function") if above.parent else None) != "Number"
        ):
            return False
        result = above
    if kind == "off by one" and node.type == "number":
        return not (what.endswith("-> 0") if negative else what.endswith("-> (-1)"))
    return kind == "comparison" and not negative


def _is_result(node: Node) -> bool:
    """Whether the value of a node is what a comparator answers: up to the function only choices between results."""
    while (above := node.parent) is not None:
        if above.type == "ternary_expression":
            if node == above.child_by_field_name("condition"):
                return False
        elif above.type == "binary_expression":
            if _word(above.child_by_field_name("operator")) not in {"||", "??"} or node != above.child_by_field_name(
                "right"
            ):
                return False
        elif above.type == "arrow_function":
            return _compares(above) and node == above.child_by_field_name("body")
        elif above.type == "return_statement":
            function = above.parent.parent if above.parent is not None else None
            return function is not None and function.type in FUNCTIONS and _compares(function)
        elif above.type != "parenthesized_expression":
            return False
        node = above
    return False


def _compares(function: Node) -> bool:
    """Whether a function is handed to a sort, right where it is written."""
    call = function.parent.parent if function.parent is not None and function.parent.type == "arguments" else None
    called = call.child_by_field_name("function") if call is not None else None
    return called is not None and _word(called.child_by_field_name("property")) in {"sort", "toSorted"}
