"""What the names of a JavaScript test file stand for: node's assert, its methods, the runner's functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate.grading.jsliteral import text

if TYPE_CHECKING:
    from tree_sitter import Node

_ASSERT = {"node:assert": False, "assert": False, "node:assert/strict": True, "assert/strict": True}
_RUNNER = ("node:test", "test")
_TESTS = ("test", "it", "default")
_SUITES = ("describe", "suite")


@dataclass(slots=True)
class Bindings:
    """Local names: of assert as a whole (and whether it is strict), of its methods, of `test` and `describe`."""

    whole: dict[str, bool] = field(default_factory=dict)
    methods: dict[str, tuple[str, bool]] = field(default_factory=dict)
    runner: dict[str, str] = field(default_factory=dict)

    def assertion(self, call: Node) -> tuple[str, bool] | None:
        """The method of assert that is called, and whether strictly; None for any other call."""
        function = call.child_by_field_name("function")
        if function is None:
            return None
        if function.type == "identifier":
            name = text(function)
            return ("ok", self.whole[name]) if name in self.whole else self.methods.get(name)
        owner, method = function.child_by_field_name("object"), function.child_by_field_name("property")
        if function.type != "member_expression" or owner is None or method is None:
            return None
        source = text(owner)
        if source in self.whole:
            return (text(method), self.whole[source]) if text(method) != "strict" else ("ok", True)
        if source.endswith(".strict") and source.removesuffix(".strict") in self.whole:
            return text(method), True
        # The context of a test carries assert too: `t.assert.equal`.
        return (text(method), False) if owner.type == "member_expression" and source.endswith(".assert") else None

    def runner_call(self, call: Node) -> str | None:
        """`test` or `describe` where that is what is called, also as `test.only`, `t.test`; else None."""
        function = call.child_by_field_name("function")
        if function is None:
            return None
        if function.type == "identifier":
            return self.runner.get(text(function))
        owner, method = function.child_by_field_name("object"), function.child_by_field_name("property")
        if function.type != "member_expression" or owner is None or method is None:
            return None
        if text(owner) in self.runner:
            named = {"test": "test", "it": "test", "describe": "describe", "suite": "describe"}
            return named.get(
                text(method), self.runner[text(owner)] if text(method) in ("only", "skip", "todo") else None
            )
        return (
            "test"
            if text(method) == "test" and owner.type == "identifier" and text(owner) in ("t", "ctx", "context")
            else None
        )


def bindings_of(root: Node) -> Bindings:
    """The bindings of a file, from its imports and requires."""
    bound = Bindings()
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node.children)
        for source, imported, local in _imports(node):
            _bind(bound, source, imported, local)
    return bound


def _bind(bound: Bindings, source: str, imported: str, local: str) -> None:
    if source in _ASSERT:
        if imported in ("default", "*", "strict", "assert"):
            bound.whole[local] = _ASSERT[source] or imported == "strict"
        else:
            bound.methods[local] = (imported, _ASSERT[source])
    elif source in _RUNNER and imported in (*_TESTS, "*"):
        bound.runner[local] = "test"
    elif source in _RUNNER and imported in _SUITES:
        bound.runner[local] = "describe"


def _imports(node: Node) -> Iterator[tuple[str, str, str]]:
    """(module, what of it, local name) for each name that a node binds."""
    if node.type == "import_statement":
        source = node.child_by_field_name("source")
        clause = next((child for child in node.children if child.type == "import_clause"), None)
        if source is not None and clause is not None:
            yield from ((text(source)[1:-1], imported, local) for imported, local in _clause(clause))
    elif node.type == "variable_declarator":
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        module, member = _required(value)
        if name is None or module is None:
            return
        if name.type == "identifier":
            yield module, member or "default", text(name)
        elif name.type == "object_pattern" and member is None:
            yield from ((module, imported, local) for imported, local in _pattern(name))


def _clause(clause: Node) -> Iterator[tuple[str, str]]:
    for child in clause.named_children:
        if child.type == "identifier":
            yield "default", text(child)
        elif child.type == "namespace_import":
            yield "*", text(child.named_children[-1])
        elif child.type == "named_imports":
            for one in child.named_children:
                name, alias = one.child_by_field_name("name"), one.child_by_field_name("alias")
                if name is not None:
                    yield text(name), text(alias or name)


def _pattern(pattern: Node) -> Iterator[tuple[str, str]]:
    for child in pattern.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            yield text(child), text(child)
        elif child.type == "pair_pattern":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None and value.type == "identifier":
                yield text(key), text(value)


def _required(value: Node | None) -> tuple[str | None, str | None]:
    """`require("m")` as (m, None), `require("m").x` as (m, x)."""
    if value is not None and value.type == "member_expression":
        owner, member = value.child_by_field_name("object"), value.child_by_field_name("property")
        module, deeper = _required(owner)
        return (module, text(member)) if module and deeper is None and member is not None else (None, None)
    if value is None or value.type != "call_expression":
        return None, None
    function, arguments = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
    if function is None or text(function) != "require" or first is None or first.type != "string":
        return None, None
    return text(first)[1:-1], None
