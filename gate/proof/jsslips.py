"""The ways in which a line of JavaScript goes wrong by one slip: found in the syntax tree, made in the text.

Left alone is what no test should have to pin down: directives, module names, and the words of an error message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from gate.grading.jssource import walk
from gate.proof.jsorder import FUNCTIONS, keeps_order
from gate.proof.slip import Edit, Slip, shown, turned

if TYPE_CHECKING:
    from tree_sitter import Node

OPERATORS: Mapping[str, tuple[str, ...]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "===": ("!==",),
    "!==": ("===",),
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "/": ("*",),
    "%": ("*",),
    "**": ("*",),
    "&": ("|",),
    "|": ("&",),
    "^": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
    ">>>": ("<<",),
    "&&": ("||",),
    "||": ("&&",),
    "??": ("&&",),
    "+=": ("-=",),
    "-=": ("+=",),
    "*=": ("+=",),
    "/=": ("*=",),
    "++": ("--",),
    "--": ("++",),
}
EARLY = "early return"
_BOUNDS = frozenset({"slice", "substring", "substr", "splice", "at", "charAt"})
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!=", "===", "!=="})
_ATOMS = frozenset({"identifier", "member_expression", "subscript_expression", "call_expression"})
_TEXTS = frozenset({"string", "template_string"})

Found = tuple[str, tuple[Edit, ...], str]
"""Kind, what to replace, and the same in words."""


def _code(node: Node) -> bytes:
    return node.text or b""


def _word(node: Node | None) -> str:
    return _code(node).decode("utf-8", "replace") if node is not None else ""


def _put(node: Node, new: bytes) -> tuple[Edit, ...]:
    return ((node.start_byte, node.end_byte, new),)


def _becomes(kind: str, node: Node, new: bytes) -> Iterator[Found]:
    yield kind, _put(node, new), turned(_code(node), new)


def _inner(node: Node) -> Node:
    """An expression without the parentheses around it."""
    while node.type == "parenthesized_expression" and node.named_child_count:
        node = node.named_children[0]
    return node


def _operator(node: Node) -> Iterator[Found]:
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator is None:
        return
    kind = "comparison" if _word(operator) in _COMPARING else "logic" if _word(operator) in "&&||??" else "arithmetic"
    for new in OPERATORS.get(_word(operator), ()):
        around = (_code(left), _code(right)) if left is not None and right is not None else None
        yield kind, _put(operator, new.encode()), turned(_code(operator), new.encode(), around)


def _unary(node: Node) -> Iterator[Found]:
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if argument is not None and _word(operator) in {"!", "-"}:
        kind = "negation" if _word(operator) == "!" else "arithmetic"
        yield from _becomes(kind, node, b"(" + _code(argument) + b")")


def _number(node: Node) -> Iterator[Found]:
    if re.fullmatch(r"0|[1-9]\d*", _word(node)):
        for other in (int(_word(node)) + 1, int(_word(node)) - 1):
            yield from _becomes("off by one", node, str(other).encode() if other >= 0 else b"(-1)")
    else:
        yield from _becomes("literal", node, b"(" + _code(node) + b" + 1)")


def _text(node: Node) -> Iterator[Found]:
    yield from _becomes("literal", node, b"''" if len(_code(node)) > 2 else b"'?'")


def _truth(node: Node) -> Iterator[Found]:
    yield from _becomes("literal", node, b"false" if node.type == "true" else b"true")


def _regex(node: Node) -> Iterator[Found]:
    yield from _becomes("literal", node, b"/(?!)/" + _code(node).rpartition(b"/")[2])


def _condition(node: Node) -> Iterator[Found]:
    found = node.child_by_field_name("condition")
    test = _inner(found) if found is not None else None
    if test is None or not test.is_named or test.type == "empty_statement":
        return
    if test.type == "expression_statement":  # in the head of a `for`
        test = test.named_children[0]
    operator = test.child_by_field_name("operator")
    from_operator = test.type == "unary_expression" or (
        test.type == "binary_expression" and _word(operator) in _COMPARING
    )
    if not from_operator or _word(operator) not in {*_COMPARING, "!"}:
        yield from _becomes("negation", test, b"!(" + _code(test) + b")")


def _call(node: Node) -> Iterator[Found]:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    function = node.child_by_field_name("constructor") if function is None else function
    if function is None or arguments is None or arguments.type != "arguments":
        return
    plain = [child for child in arguments.named_children if child.type not in {"spread_element", "comment"}]
    name = _word(function.child_by_field_name("property")) if function.type == "member_expression" else ""
    for one, other in pairwise(plain if name not in {"max", "min"} else []):
        if _code(one) != _code(other):
            edits = (*_put(one, _code(other)), *_put(other, _code(one)))
            ways = (_code(one) + b", " + _code(other), _code(other) + b", " + _code(one))
            yield "arguments", edits, turned(*ways)
    if name in _BOUNDS:
        for argument in plain:
            if argument.type not in {"number", "unary_expression"}:
                code = _code(argument)
                new = (code if argument.type in _ATOMS else b"(" + code + b")") + b" + 1"
                yield from _becomes("off by one", argument, new)


def _await(node: Node) -> Iterator[Found]:
    if node.named_child_count:
        yield from _becomes("await", node, _code(node.named_children[0]))


def _return(node: Node) -> Iterator[Found]:
    value = next((child for child in node.named_children if child.type != "comment"), None)
    if value is None:
        yield from _dropped(node)
    elif value.type not in {"number", "string", "true", "false", "null", "undefined"}:
        yield "return", _put(value, b"undefined"), turned(_code(node), b"return undefined;")


def _throw(node: Node) -> Iterator[Found]:
    yield from _dropped(node)
    made = node.named_children[0] if node.named_child_count else None
    named = made.child_by_field_name("constructor") if made is not None and made.type == "new_expression" else None
    if named is not None:
        yield from _becomes("exception", named, b"RangeError" if _word(named) == "Error" else b"Error")


def _dropped(node: Node) -> Iterator[Found]:
    yield "statement dropped", _put(node, b";"), f"{shown(_code(node))} -> (dropped)"


def _statement(node: Node) -> Iterator[Found]:
    if not _is_directive(node):
        yield from _dropped(node)


def _is_directive(node: Node) -> bool:
    return node.named_child_count == 1 and node.named_children[0].type == "string"


def _early(node: Node) -> Iterator[Found]:
    """A return before anything else is done."""
    body = node.child_by_field_name("body")
    if body is None or (body.type == "statement_block" and not body.named_child_count):
        return
    if body.type == "statement_block":
        edits: tuple[Edit, ...] = ((body.start_byte + 1, body.start_byte + 1, b" return undefined;"),)
    else:
        edits = _put(body, b"undefined")
    yield EARLY, edits, f"{_name(node)}: return undefined at its head"


def _name(node: Node) -> str:
    """What a function is called, or what it is assigned to; its parameters where it is nothing."""
    name = node.child_by_field_name("name")
    if name is None and node.parent is not None:
        name = node.parent.child_by_field_name("name") or node.parent.child_by_field_name("key")
    if name is not None:
        return _word(name)
    given = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    return shown((_code(given) if given is not None else b"()") + b" =>")


TABLE: Mapping[str, tuple[Callable[[Node], Iterator[Found]], ...]] = {
    "binary_expression": (_operator,),
    "augmented_assignment_expression": (_operator,),
    "update_expression": (_operator,),
    "unary_expression": (_unary,),
    "number": (_number,),
    "string": (_text,),
    "template_string": (_text,),
    "true": (_truth,),
    "false": (_truth,),
    "regex": (_regex,),
    "if_statement": (_condition,),
    "while_statement": (_condition,),
    "do_statement": (_condition,),
    "for_statement": (_condition,),
    "ternary_expression": (_condition,),
    "call_expression": (_call,),
    "new_expression": (_call,),
    "await_expression": (_await,),
    "return_statement": (_return,),
    "throw_statement": (_throw,),
    "expression_statement": (_statement,),
    "break_statement": (_dropped,),
    "continue_statement": (_dropped,),
    **dict.fromkeys(FUNCTIONS, (_early,)),
}


def _silent(node: Node) -> bool:
    """Text that is no value of the program: a module's name, a directive, a tag's template, an error's words."""
    above = node.parent
    if node.type not in _TEXTS or above is None:
        return False
    if above.type in {"import_statement", "export_statement"} or (
        above.type == "expression_statement" and _is_directive(above)
    ):
        return True
    if above.type == "call_expression":  # a tagged template
        return True
    call = above.parent if above.type == "arguments" else None
    if call is None:
        return False
    if call.type == "new_expression" and call.parent is not None and call.parent.type == "throw_statement":
        return True
    return _word(call.child_by_field_name("function")) in {"require", "import"}


def slips(root: Node, data: bytes) -> Iterator[Slip]:
    """Every slip of a file, in the order of its text. Some make it a text that does not even parse."""
    within: list[Node] = []
    for node in walk(root):
        while within and within[-1].end_byte <= node.start_byte:
            within.pop()
        if within:
            continue
        if _silent(node):
            within.append(node)
            continue
        for find in TABLE.get(node.type, ()) if node.is_named else ():
            for kind, edits, what in find(node):
                first, last = (1 + data.count(b"\n", 0, at) for at in (edits[0][0], max(edit[1] for edit in edits)))
                if kind == EARLY:
                    last = node.end_point[0] + 1
                line = node.start_point[0] + 1 if kind == EARLY else first
                yield Slip(kind, line, first, last, edits, what, same=keeps_order(node, kind, what))


def hollow(root: Node, data: bytes, value: bytes) -> bytes:
    """The file with every outer function returning `value` before it does anything."""
    edits: list[Edit] = []
    for node in walk(root):
        if node.type in FUNCTIONS and node.start_byte >= max((end for _, end, _ in edits), default=0):
            edits += [
                (start, end, new.replace(b"undefined", value))
                for _, found, _ in _early(node)
                for start, end, new in found
            ]
    return Slip("hollow", 1, 1, 1, tuple(edits), "").applied(data)
