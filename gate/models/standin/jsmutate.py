"""Small changes of JavaScript: every way in which an expression is one slip away from another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from gate.models.standin.jstables import MEMBERS, OPERATORS
from gate.models.standin.jstree import FUNCTIONS, Script, named, parser, text_of, walk
from gate.models.standin.mutation import Edit, Mutation

if TYPE_CHECKING:
    from tree_sitter import Node

Found = tuple[str, tuple[Edit, ...], float]
"""Kind, what, and what makes it less likely than its kind."""


def _swap(node: Node, new: bytes) -> tuple[Edit, ...]:
    return ((node.start_byte, node.end_byte, new),)


def _code(node: Node | None) -> bytes:
    return node.text or b"" if node is not None else b""


def _operator(node: Node) -> Iterator[Found]:
    operator = named(node, "operator")
    for at, (kind, new) in enumerate(OPERATORS.get(text_of(operator), ())):
        if operator is not None:
            yield kind, _swap(operator, new.encode()), at * 0.25


def _binary(node: Node) -> Iterator[Found]:
    yield from _operator(node)
    left, right, operator = named(node, "left"), named(node, "right"), text_of(named(node, "operator"))
    if left is None or right is None:
        return
    if operator in {"-", "/", "%"}:
        yield "swap", (*_swap(left, _code(right)), *_swap(right, _code(left))), 0.5
    if operator in {"+", "-"} and text_of(right) == "1":
        yield "offset", _swap(node, _code(left)), 0.0
    if operator == "/":
        yield "round", _swap(node, b"Math.floor(" + _code(node) + b")"), 0.5
    if operator in {"&&", "||"}:
        yield "logic", _swap(node, _code(left)), 1.0
        yield "logic", _swap(node, _code(right)), 1.0


def _number(node: Node) -> Iterator[Found]:
    text = text_of(node)
    if re.fullmatch(r"\d+", text):
        value = int(text)
        extra = 0.0 if value <= 2 else 1.0
        yield "offset", _swap(node, str(value + 1).encode()), extra
        if value:
            yield "offset", _swap(node, str(value - 1).encode()), extra


def _boolean(node: Node) -> Iterator[Found]:
    yield "boolean", _swap(node, b"false" if node.type == "true" else b"true"), 0.0


def _unary(node: Node) -> Iterator[Found]:
    if text_of(named(node, "operator")) in {"!", "-"}:
        kind = "negate" if text_of(named(node, "operator")) == "!" else "arithmetic"
        yield kind, _swap(node, _code(named(node, "argument"))), 0.0


def _condition(node: Node) -> Iterator[Found]:
    condition = named(node, "condition")
    if condition is None:
        return
    inner = condition.named_child(0) if condition.type == "parenthesized_expression" else condition
    extra = 1.5 if node.type in {"while_statement", "for_statement", "do_statement"} else 0.0
    if inner.type not in {"unary_expression", "binary_expression"}:
        yield "negate", _swap(inner, b"!(" + _code(inner) + b")"), extra
    if inner.type in {"identifier", "member_expression"}:
        yield "none", _swap(inner, _code(inner) + b" !== undefined"), extra


def _call(node: Node) -> Iterator[Found]:
    function, arguments = named(node, "function"), named(node, "arguments")
    if function is None or arguments is None or arguments.type != "arguments":
        return
    plain = [child for child in arguments.named_children if child.type not in {"spread_element", "comment"}]
    for one, other in pairwise(plain):
        yield "swap", (*_swap(one, _code(other)), *_swap(other, _code(one))), 0.0
    name = text_of(named(function, "property")) if function.type == "member_expression" else text_of(function)
    if function.type == "member_expression":
        yield from _method(node, function, name, plain)
    elif name == "parseInt" and len(plain) == 1:
        yield "method", ((plain[0].end_byte, plain[0].end_byte, b", 10"),), 0.0
    above = node.parent
    if above is not None and above.type != "await_expression":
        yield "method", ((node.start_byte, node.start_byte, b"await "),), 1.5


def _method(node: Node, function: Node, name: str, plain: list[Node]) -> Iterator[Found]:
    owner = named(function, "object")
    member = named(function, "property")
    for kind, new in MEMBERS.get(name, ()):
        if member is not None:
            yield kind, _swap(member, new.encode()), 0.0
    if name in {"sort", "reverse", "splice"} and owner is not None:
        yield "copy", ((owner.end_byte, owner.end_byte, b".slice()"),), 0.0
    if name in {"sort", "toSorted"} and not plain:
        at = node.end_byte - 1
        yield "order", ((at, at, b"(a, b) => a - b"),), 0.0
        yield "order", ((at, at, b"(a, b) => b - a"),), 0.5
    if name in {"slice", "substring", "substr", "splice", "at"}:
        for argument in plain:
            for offset in (b" - 1", b" + 1"):
                yield "index", ((argument.end_byte, argument.end_byte, offset),), 0.0


def _subscript(node: Node) -> Iterator[Found]:
    index = named(node, "index")
    if index is not None and index.type in {"identifier", "binary_expression", "member_expression"}:
        for offset in (b" - 1", b" + 1"):
            yield "index", ((index.end_byte, index.end_byte, offset),), 0.5


def _member(node: Node) -> Iterator[Found]:
    if text_of(named(node, "property")) == "length":
        for offset in (b" - 1", b" + 1"):
            yield "offset", ((node.end_byte, node.end_byte, offset),), 0.5


def _return(node: Node) -> Iterator[Found]:
    value = node.named_child(0) if node.named_child_count else None
    if value is None:
        return
    if value.type in {"binary_expression", "call_expression"}:
        yield "negate", _swap(value, b"!(" + _code(value) + b")"), 0.5
    if value.type in {"identifier", "member_expression"}:
        yield "copy", _swap(value, b"structuredClone(" + _code(value) + b")"), 0.5
        yield "return", _swap(value, b"-(" + _code(value) + b")"), 1.0


def _copied(node: Node) -> Iterator[Found]:
    """A shallow copy, or none, where a deep one may be meant."""
    value = named(node, "value") or named(node, "right")
    if value is None:
        return
    spread = value.type in {"object", "array"} and any(child.type == "spread_element" for child in value.children)
    if spread or value.type in {"identifier", "member_expression", "subscript_expression"}:
        yield "copy", _swap(value, b"structuredClone(" + _code(value) + b")"), 0.0 if spread else 1.0


def _missing_return(node: Node) -> Iterator[Found]:
    body = named(node, "body")
    if body is None or body.type != "statement_block" or not body.named_child_count:
        return
    last = body.named_child(body.named_child_count - 1)
    if last.type == "expression_statement" and "return" not in text_of(body):
        yield "return", ((last.start_byte, last.start_byte, b"return "),), 0.0


def _keyword(node: Node) -> Iterator[Found]:
    word = text_of(node).split(" ", 1)[0].rstrip(";")
    other = {"break": b"continue", "continue": b"break"}.get(word)
    if other:
        yield "logic", ((node.start_byte, node.start_byte + len(word), other),), 1.0


def _dropped(node: Node) -> Iterator[Found]:
    if node.parent is not None and node.parent.type == "statement_block":
        yield "drop", _swap(node, b""), 0.0


def _names(function: Node) -> Iterator[Found]:
    """One variable of a function in the place of another."""
    uses = [part for part in walk(function) if part.type == "identifier" and part.parent is not None]
    bound = [part for part in uses if part.parent is not None and _binds(part)]
    known = list(dict.fromkeys(text_of(part) for part in bound))
    if not 2 <= len(known) <= 8:
        return
    for part in uses:
        if part not in bound and text_of(part) in known:
            for other in known:
                if other != text_of(part):
                    yield "name", _swap(part, other.encode()), 0.0


def _binds(node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "variable_declarator":
        return named(parent, "name") == node
    return parent.type in {"formal_parameters", "rest_pattern", "array_pattern"} or (
        parent.type == "arrow_function" and named(parent, "parameter") == node
    )


TABLE: Mapping[str, tuple[Callable[[Node], Iterator[Found]], ...]] = {
    "binary_expression": (_binary,),
    "augmented_assignment_expression": (_operator,),
    "update_expression": (_operator,),
    "number": (_number,),
    "true": (_boolean,),
    "false": (_boolean,),
    "unary_expression": (_unary,),
    "if_statement": (_condition,),
    "while_statement": (_condition,),
    "ternary_expression": (_condition,),
    "call_expression": (_call,),
    "subscript_expression": (_subscript,),
    "member_expression": (_member,),
    "return_statement": (_return,),
    "variable_declarator": (_copied,),
    "assignment_expression": (_copied,),
    "break_statement": (_keyword,),
    "continue_statement": (_keyword,),
    "expression_statement": (_dropped,),
    **dict.fromkeys(FUNCTIONS, (_names, _missing_return)),
}


def _function(node: Node) -> str:
    """The name of the innermost function around a node that has one."""
    above: Node | None = node
    while above is not None:
        if above.type in FUNCTIONS:
            name = named(above, "name")
            if name is None and above.parent is not None:
                name = named(above.parent, "name") or named(above.parent, "key")
            if name is not None:
                return text_of(name)
        above = above.parent
    return ""


def mutations(path: str, text: str) -> Iterator[Mutation]:
    """Every small change of a file, some of which may not parse; none for a file that does not."""
    script = Script.of(path, text)
    if script.root.has_error:
        return
    seen: set[bytes] = {script.data}
    for node in walk(script.root):
        for find in TABLE.get(node.type, ()):
            for kind, edits, extra in find(node):
                line = 1 + script.data.count(b"\n", 0, edits[0][0])
                mutation = Mutation(path, kind, line, _function(node), edits, extra)
                after = mutation.applied(script.data)
                if after not in seen:
                    seen.add(after)
                    yield mutation


def parses(data: bytes) -> bool:
    """Whether these bytes are JavaScript."""
    return not parser().parse(data).root_node.has_error
