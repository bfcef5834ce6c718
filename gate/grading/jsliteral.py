"""Which expressions of a JavaScript test are literal, and what they are, in the encoded form that values travel in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gate.grading.jsvalues import UNDEFINED, Wire, number
from gate.grading.literal import NotLiteral

if TYPE_CHECKING:
    from tree_sitter import Node

_WORDS: dict[str, Wire] = {"null": ["n"], "undefined": UNDEFINED, "true": ["b", True], "false": ["b", False]}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def text(node: Node) -> str:
    """The source of a node."""
    return (node.text or b"").decode("utf-8", "surrogateescape")


def fold(node: Node, names: Mapping[str, Wire]) -> Wire:
    """The value of a literal; `names` are constants known by name. Raises NotLiteral for anything else."""
    match node.type:
        case "null" | "undefined" | "true" | "false":
            return _WORDS[node.type]
        case "number":
            return _number(text(node))
        case "string":
            return ["s", _unquoted(node)]
        case "template_string" if not any(child.type == "template_substitution" for child in node.children):
            return ["s", _unquoted(node)]
        case "identifier":
            return _named(text(node), names)
        case "parenthesized_expression" if node.named_child_count == 1:
            return fold(node.named_children[0], names)
        case "unary_expression":
            return _signed(node, names)
        case "array":
            return ["l", [fold(child, names) for child in _elements(node)]]
        case "object":
            return ["d", _pairs(node, names)]
        case "new_expression":
            return _made(node, names)
        case _:
            raise NotLiteral


def pattern(node: Node) -> str:
    """A regular expression as Python has it. Raises NotLiteral where the two languages differ."""
    if node.type != "regex":
        raise NotLiteral
    parts = {child.type: text(child) for child in node.children}
    flags = parts.get("regex_flags", "")
    source = (
        parts.get("regex_pattern", "")
        .replace("\\/", "/")
        .replace("(?<", "(?P<")
        .replace("(?P<=", "(?<=")
        .replace("(?P<!", "(?<!")
    )
    if set(flags) - set("gimsu") or re.search(r"\\[pPkuxc$]|\(\?P<[^>]*\$", source):
        raise NotLiteral
    letters = "".join(flag for flag in "ims" if flag in flags)
    # In JavaScript \d and \w are ASCII, and `$` without m is the very end.
    source = re.sub(r"(?<!\\)\$", r"\\Z", source) if "m" not in flags and "[" not in source else source
    found = f"(?a{letters}){source}"
    try:
        re.compile(found)
    except re.error as error:
        raise NotLiteral from error
    return found


def _number(source: str) -> Wire:
    digits = source.replace("_", "").lower()
    try:
        if digits.endswith("n"):
            return ["big", str(int(digits[:-1], 0))]
        return number(int(digits, 0)) if re.match(r"0[xbo]", digits) else number(float(digits))
    except (ValueError, OverflowError) as error:
        raise NotLiteral from error


def _unquoted(node: Node) -> str:
    parts = node.children[1:-1]
    return "".join(_escape(text(part)) if part.type == "escape_sequence" else text(part) for part in parts)


def _escape(source: str) -> str:
    body = source[1:]
    if re.fullmatch(r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}", body):
        return chr(int(body[1:], 16))
    found = re.fullmatch(r"u\{([0-9a-fA-F]+)\}", body)
    if found and int(found[1], 16) < 0x110000:
        return chr(int(found[1], 16))
    if body.startswith(("x", "u")) or re.match(r"[1-9]|0\d", body):
        raise NotLiteral
    return "" if body in ("\n", "\r\n") else _ESCAPES.get(body, body)


def _named(name: str, names: Mapping[str, Wire]) -> Wire:
    if name in names:
        return names[name]
    if name in ("NaN", "Infinity"):
        return number(float("nan" if name == "NaN" else "inf"))
    raise NotLiteral


def _signed(node: Node, names: Mapping[str, Wire]) -> Wire:
    operator, inner = node.children[0].type, fold(node.children[-1], names)
    match operator, inner:
        case "-", ["num", str() as digits]:
            return ["num", f"{int(digits, 16) ^ (1 << 63):016x}"] if digits != number(float("nan"))[1] else inner
        case "-", ["big", str() as whole]:
            return ["big", str(-int(whole))]
        case "+", ["num", _]:
            return inner
        case "!", ["b", bool() as truth]:
            return ["b", not truth]
        case "void", _:
            return UNDEFINED
        case _:
            raise NotLiteral


def _elements(node: Node) -> list[Node]:
    """The elements of an array; a hole or a spread is no literal."""
    found = [child for child in node.named_children if child.type != "comment"]
    commas = sum(child.type == "," for child in node.children)
    if commas > len(found) or any(child.type == "spread_element" for child in found):
        raise NotLiteral
    return found


def _pairs(node: Node, names: Mapping[str, Wire]) -> list[list[object]]:
    pairs: dict[str, Wire] = {}
    for child in node.named_children:
        if child.type == "comment":
            continue
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "shorthand_property_identifier":
            pairs[text(child)] = _named(text(child), names)
        elif child.type != "pair" or key is None or value is None or text(key) in ("__proto__", '"__proto__"'):
            raise NotLiteral
        else:
            pairs[_key(key)] = fold(value, names)
    return [[key, value] for key, value in pairs.items()]


def _key(node: Node) -> str:
    if node.type == "property_identifier":
        return text(node)
    if node.type == "string":
        return _unquoted(node)
    if node.type == "number" and text(node).isdigit():
        return str(int(text(node)))
    raise NotLiteral


def _made(node: Node, names: Mapping[str, Wire]) -> Wire:
    """`new Set([…])` and `new Map([[k, v]])`."""
    maker, arguments = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
    given = [fold(child, names) for child in arguments.named_children] if arguments else []
    match text(maker) if maker else "", given:
        case "Set", []:
            return ["S", []]
        case "Set", [["l", items]]:
            return ["S", items]
        case "Map", []:
            return ["M", []]
        case "Map", [["l", items]] if all(item[0] == "l" and len(item[1]) == 2 for item in items):
            return ["M", [item[1] for item in items]]
        case _:
            raise NotLiteral
