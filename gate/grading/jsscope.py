"""Names of a JavaScript test file: which stand for literals, where they are read, and which loops are tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.grading.jsassert import Bindings
from gate.grading.jsliteral import fold, text
from gate.grading.jssource import walk
from gate.grading.jsvalues import Wire
from gate.grading.literal import NotLiteral

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_ROWS = 500
NAMES = ("identifier", "shorthand_property_identifier")
PRIMITIVE = ("num", "s", "b", "big", "n", "undef")
FUNCTIONS = ("arrow_function", "function_expression", "function", "generator_function")

_BINDING_PARENTS = frozenset(
    {
        "formal_parameters",
        "array_pattern",
        "pair_pattern",
        "assignment_pattern",
        "object_assignment_pattern",
        "rest_pattern",
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
        "catch_clause",
        "import_specifier",
        "import_clause",
        "namespace_import",
        "update_expression",
    }
)
_BINDING_FIELDS = (
    ("variable_declarator", "name"),
    ("arrow_function", "parameter"),
    ("for_in_statement", "left"),
    ("assignment_expression", "left"),
    ("augmented_assignment_expression", "left"),
)
_LEAVING = ("break_statement", "continue_statement", "return_statement")


def identifiers(root: Node) -> Counter[str]:
    """How often each name occurs, in any role."""
    return Counter(text(node) for node in walk(root) if node.type in (*NAMES, "shorthand_property_identifier_pattern"))


def declared(node: Node) -> str | None:
    """The name of `const name = …`."""
    name = node.child_by_field_name("name") if node.type == "variable_declarator" else None
    parent = node.parent
    constant = parent is not None and parent.type == "lexical_declaration" and parent.children[0].type == "const"
    return text(name) if name is not None and name.type == "identifier" and constant else None


def bindings(root: Node) -> Counter[str]:
    """How often each name is bound or assigned: a name that is bound twice means two things."""
    found: Counter[str] = Counter()
    for node in walk(root):
        if node.type == "shorthand_property_identifier_pattern" or (node.type == "identifier" and _binds(node)):
            found[text(node)] += 1
    return found


def _binds(node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    if parent.type in _BINDING_PARENTS:
        return True
    return any(parent.type == kind and parent.child_by_field_name(field) == node for kind, field in _BINDING_FIELDS)


def constants(root: Node) -> dict[str, Wire]:
    """Constants that hold a literal, by name: primitives, and anything that is read exactly once.

    What is read once cannot have been changed through another reading.
    """
    total, bound = identifiers(root), bindings(root)
    found: dict[str, Wire] = {}
    for node in walk(root):
        name, value = declared(node), node.child_by_field_name("value") if node.type == "variable_declarator" else None
        if name is None or value is None or bound[name] != 1:
            continue
        try:
            wire = fold(value, found)
        except NotLiteral:
            continue
        if wire[0] in PRIMITIVE or total[name] == 2:
            found[name] = wire
    return found


@dataclass(frozen=True, slots=True)
class Table:
    """A loop over rows that are written down: the cells of each row by name, and how often the body reads each."""

    rows: tuple[Mapping[str, Node], ...]
    body: Node
    reads: Counter[str]


def table_of(node: Node, bound: Bindings) -> Table | None:
    """`for (const [a, b] of [[1, 2], [3, 4]]) …` as a table, if its body asserts or tests and never leaves early."""
    if node.type != "for_in_statement":
        return None
    left, right, body = (node.child_by_field_name(field) for field in ("left", "right", "body"))
    operator, kind = node.child_by_field_name("operator"), node.child_by_field_name("kind")
    if left is None or right is None or body is None or operator is None or text(operator) != "of":
        return None
    if kind is None or text(kind) != "const" or right.type != "array" or right.named_child_count > MAX_ROWS:
        return None
    if any(child.type == "await" for child in node.children) or not _is_table_body(body, bound):
        return None
    rows = [_row(left, cell) for cell in right.named_children if cell.type != "comment"]
    inside = bindings(body)
    whole = [row for row in rows if row is not None]
    if len(whole) != len(rows) or any(name in inside for row in whole for name in row):
        return None
    return Table(tuple(whole), body, identifiers(body))


def _row(left: Node, cell: Node) -> dict[str, Node] | None:
    if left.type == "identifier":
        return {text(left): cell}
    names = left.named_children
    if left.type == "array_pattern" and cell.type == "array" and all(name.type == "identifier" for name in names):
        cells = [child for child in cell.named_children if child.type != "comment"]
        plain = not any(child.type == "spread_element" for child in cells)
        if plain and len(cells) == len(names):
            return {text(name): value for name, value in zip(names, cells, strict=True)}
    if left.type == "object_pattern" and cell.type == "object":
        pairs = {}
        for pair in cell.named_children:
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if pair.type != "pair" or key is None or value is None or key.type != "property_identifier":
                return None
            pairs[text(key)] = value
        if all(name.type == "shorthand_property_identifier_pattern" and text(name) in pairs for name in names):
            return {text(name): pairs[text(name)] for name in names}
    return None


def _is_table_body(body: Node, bound: Bindings) -> bool:
    asserts = False
    for node in walk(body):
        if node.type in _LEAVING:
            return False
        if node.type == "call_expression":
            asserts = asserts or bound.assertion(node) is not None
    return asserts


def directly_in(call: Node, callback: Node) -> bool:
    """Whether an assertion is a statement of the callback itself, and nothing in there returns early."""
    body = callback.child_by_field_name("body")
    if body is None:
        return False
    at = call.parent
    if at is not None and at.type == "await_expression":
        at = at.parent
    if body == call or (body.type == "await_expression" and call.parent == body):
        return True
    direct = at is not None and at.type == "expression_statement" and at.parent == body
    return direct and not any(part.type == "return_statement" for part in walk(body))


def after_directives(root: Node) -> int:
    """The place after `"use strict"` and a hash-bang line."""
    at = 0
    for child in root.children:
        inner = child.named_children[0].type if child.type == "expression_statement" and child.named_children else ""
        if child.type not in ("hash_bang_line", "comment") and inner != "string":
            break
        at = child.end_byte
    return at
