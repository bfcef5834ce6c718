"""Renaming in JavaScript by syntax: names that refer to the definition change; strings and comments only if asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gate.models.standin.jstree import FUNCTIONS, Script, named, source_of, stem, text_of, walk
from gate.models.standin.understand import Wish

if TYPE_CHECKING:
    from tree_sitter import Node

Edit = tuple[int, int, str]
"""Start and end in bytes, and the new text."""

_DECLARATIONS = frozenset(
    {"function_declaration", "generator_function_declaration", "class_declaration", "variable_declarator"}
)
_NAMES = frozenset({"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"})


def _pattern_names(node: Node | None) -> Iterator[str]:
    """Names that a binding pattern binds."""
    if node is None:
        return
    for part in walk(node):
        parent = part.parent
        if part.type in {"identifier", "shorthand_property_identifier_pattern"}:
            is_default = parent is not None and parent.type == "assignment_pattern" and named(parent, "right") == part
            if not is_default:
                yield text_of(part)


def _scope(node: Node) -> Node | None:
    """The function around a node, or None at the top level of its module."""
    above = node.parent
    while above is not None and above.type not in FUNCTIONS:
        above = above.parent
    return above


def defines(script: Script, name: str) -> bool:
    """Whether a module declares the name at its top level, or sets it on its exports."""
    for node in walk(script.root):
        if node.type in _DECLARATIONS and name in _pattern_names(named(node, "name")) and _scope(node) is None:
            value = named(node, "value")
            if value is None or source_of(value) is None:
                return True
        if node.type == "assignment_expression" and _is_exports(named(node, "left"), name):
            return True
    return False


def _is_exports(node: Node | None, name: str) -> bool:
    """`exports.name` or `module.exports.name`."""
    if node is None or node.type != "member_expression" or text_of(named(node, "property")) != name:
        return False
    return text_of(named(node, "object")) in {"exports", "module.exports"}


def _imports(script: Script) -> Iterator[tuple[Node, str]]:
    """Every import, re-export and require of a relative module: the node and the path it means."""
    for node in walk(script.root):
        if node.type in {"import_statement", "export_statement", "call_expression"}:
            target = script.target(source_of(node))
            if target:
                yield node, target


def _passes_on(script: Script, known: set[str], name: str) -> bool:
    """Whether a module takes the name from a known one."""
    for node, target in _imports(script):
        if target not in known:
            continue
        text = text_of(node.parent if node.type == "call_expression" and node.parent is not None else node)
        if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) or re.search(r"export\s*\*", text):
            return True
    return False


def _known(scripts: list[Script], wish: Wish) -> set[str]:
    """Stems of the modules in which the top-level name is the one that is meant."""
    homes = {script.path for script in scripts if defines(script, wish.old)}
    said = {path for path in homes for path_said in wish.paths if f"/{path}".endswith(f"/{path_said}")}
    known = {stem(path) for path in said or homes}
    while True:
        more = {stem(s.path) for s in scripts if stem(s.path) not in known and _passes_on(s, known, wish.old)}
        if not more:
            return known
        known |= more


def _declared_in(function: Node, name: str) -> bool:
    """Whether a function binds the name itself, as a parameter or a local."""
    for field in ("parameters", "parameter"):
        if name in _pattern_names(named(function, field)):
            return True
    for node in walk(function):
        if node.type in _DECLARATIONS and node != function and _scope(node) == function:
            value = named(node, "value")
            if name in _pattern_names(named(node, "name")) and (value is None or source_of(value) is None):
                return True
    return False


def _shadowed(node: Node, name: str) -> bool:
    above = _scope(node)
    while above is not None:
        if _declared_in(above, name):
            return True
        above = _scope(above)
    return False


class _File:
    """One file of the rename."""

    def __init__(self, script: Script, wish: Wish, known: set[str], *, member: bool) -> None:
        self.script, self.wish, self.known, self.member = script, wish, known, member
        self.ours = stem(script.path) in known
        self.spaces = self._namespaces()

    def _namespaces(self) -> set[str]:
        """Local names that stand for a whole known module."""
        spaces = {"exports", "module.exports"} if self.ours else set()
        for node, target in _imports(self.script):
            if target not in self.known:
                continue
            if node.type == "import_statement":
                for part in walk(node):
                    if part.type == "namespace_import" or (part.type == "identifier" and _is_default_import(part)):
                        spaces.add(text_of(part).removeprefix("*").strip().removeprefix("as").strip())
            else:
                holder = node.parent
                while holder is not None and holder.type == "await_expression":
                    holder = holder.parent
                if holder is not None and holder.type == "variable_declarator":
                    spaces.add(text_of(named(holder, "name")))
        return spaces

    def edits(self) -> Iterator[Edit]:
        """Every place that changes."""
        old, new = self.wish.old, self.wish.new
        for node in walk(self.script.root):
            if node.type in _NAMES and text_of(node) == old:
                text = self._identifier(node)
                if text:
                    yield node.start_byte, node.end_byte, text
            elif node.type in {"property_identifier", "private_property_identifier"} and text_of(node) == old:
                if self._property(node):
                    yield node.start_byte, node.end_byte, new
            elif self._is_prose(node):
                pattern = rb"(?<![\w$])" + re.escape(old.encode()) + rb"(?![\w$])"
                for found in re.finditer(pattern, node.text or b""):
                    yield node.start_byte + found.start(), node.start_byte + found.end(), new

    def _is_prose(self, node: Node) -> bool:
        if node.type == "comment":
            return self.wish.docs
        return node.type == "string_fragment" and self.wish.strings

    def _identifier(self, node: Node) -> str:
        """The new text of a plain name, or nothing where it is another thing."""
        old, new = self.wish.old, self.wish.new
        if not self.ours or self.member:
            return ""
        parent = node.parent
        if parent is not None and parent.type in {"import_specifier", "export_specifier"}:
            return new if self._from_known(parent) else ""
        if self._taken_from(node) is not None:
            return new if self._taken_from(node) in self.known else ""
        if _shadowed(node, old):
            return ""
        if node.type == "shorthand_property_identifier" and not self._is_export_object(parent):
            return f"{old}: {new}"
        return "" if node.type == "shorthand_property_identifier_pattern" else new

    def _from_known(self, specifier: Node) -> bool:
        statement = specifier.parent
        while statement is not None and statement.type not in {"import_statement", "export_statement"}:
            statement = statement.parent
        if statement is None:
            return False
        named_module = source_of(statement)
        return named_module is None or self.script.target(named_module) in self.known

    def _taken_from(self, node: Node) -> str | None:
        """For a name in `const {name} = require(...)`: the path of the module, or an empty text for a package."""
        above = node.parent
        while above is not None and above.type in {"object_pattern", "pair_pattern", "object_assignment_pattern"}:
            above = above.parent
        if above is None or above.type != "variable_declarator":
            return None
        value = named(above, "value")
        module = source_of(value) if value is not None else None
        return self.script.target(module) if module is not None else None

    def _is_export_object(self, node: Node | None) -> bool:
        """Whether an object literal is what the module exports."""
        above = node.parent if node is not None else None
        if above is None:
            return False
        if above.type == "assignment_expression":
            return text_of(named(above, "left")) in {"module.exports", "exports"}
        return above.type == "export_statement"

    def _property(self, node: Node) -> bool:
        parent = node.parent
        if parent is None:
            return False
        if self.member:
            return parent.type in {"member_expression", "method_definition", "field_definition"}
        if parent.type == "member_expression":
            return text_of(named(parent, "object")) in self.spaces
        if parent.type == "pair_pattern":
            return self._taken_from(node) in self.known
        return parent.type == "pair" and self.ours and self._is_export_object(parent.parent)


def _is_default_import(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "import_clause"


def _has_member(script: Script, wish: Wish) -> bool:
    for node in walk(script.root):
        if node.type in {"method_definition", "field_definition"}:
            name = named(node, "name") or named(node, "property")
            owner = node.parent.parent if node.parent is not None else None
            if text_of(name) == wish.old and (
                not wish.owner or (owner is not None and text_of(named(owner, "name")) == wish.owner)
            ):
                return True
    return False


def renamed(texts: dict[str, str], wish: Wish) -> tuple[dict[str, str], str]:
    """The new text of every file, and what stands in the way (empty when nothing does)."""
    scripts = [Script.of(path, text) for path, text in sorted(texts.items())]
    known = set() if wish.owner and wish.owner[:1].isupper() else _known(scripts, wish)
    member = not known and any(_has_member(script, wish) for script in scripts)
    if not known and not member:
        return {}, f"I found no definition of `{wish.old}`."
    for script in scripts:
        if stem(script.path) in known and defines(script, wish.new):
            return {}, f"`{wish.new}` is already defined in {script.path}."
    after: dict[str, str] = {}
    for script in scripts:
        data = script.data
        for start, end, text in sorted(set(_File(script, wish, known, member=member).edits()), reverse=True):
            data = data[:start] + text.encode() + data[end:]
        after[script.path] = data.decode()
    return after, ""
