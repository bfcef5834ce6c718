"""The source of a JavaScript file: parsed, edited by place, its relative imports pointed to where they led."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate.grading.jsliteral import text
from gate.grading.rewrite import UnreadableTest

if TYPE_CHECKING:
    from tree_sitter import Node

Resolve = Callable[[str, bool], str | None]
"""Where a relative specifier leads from outside the tree; the flag says whether as a URL."""


@dataclass(slots=True)
class Edits:
    """Replacements by byte range; none overlaps another."""

    found: list[tuple[int, int, bytes]] = field(default_factory=list)

    def put(self, start: int, end: int, new: str) -> None:
        """Replace a range; an empty one is an insertion."""
        self.found.append((start, end, new.encode("utf-8", "surrogateescape")))

    def apply(self, source: bytes) -> bytes:
        """The edited source."""
        for start, end, new in sorted(self.found, key=lambda edit: (edit[0], edit[1]), reverse=True):
            source = source[:start] + new + source[end:]
        return source

    def within(self, node: Node) -> str:
        """The edited source of one node, for edits that all lie inside it."""
        moved = [(start - node.start_byte, end - node.start_byte, new) for start, end, new in self.found]
        return Edits(moved).apply(node.text or b"").decode("utf-8", "surrogateescape")


def parse(source: bytes, where: str) -> Node:
    """The syntax tree. Raises UnreadableTest when the source is not JavaScript."""
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    root = Parser(Language(tree_sitter_javascript.language())).parse(source).root_node
    if root.has_error:
        raise UnreadableTest(f"{where}: not JavaScript that can be parsed")
    return root


def is_module(root: Node, path: str) -> bool:
    """Whether a file is an ES module: by its extension, else by what it uses."""
    if path.endswith((".mjs", ".cjs")):
        return path.endswith(".mjs")
    return any(child.type in ("import_statement", "export_statement") for child in root.children)


def relink(source: bytes, where: str, resolve: Resolve) -> bytes:
    """The same file with its relative imports leading to where they led from its place in the tree."""
    edits = Edits()
    for node in walk(parse(source, where)):
        relink_node(node, edits, resolve)
    return edits.apply(source)


def walk(node: Node) -> Iterator[Node]:
    """Every node, parents first, without recursion."""
    pending = [node]
    while pending:
        here = pending.pop()
        yield here
        pending.extend(reversed(here.children))


def relink_node(node: Node, edits: Edits, resolve: Resolve) -> None:
    """Point one import, export or require to the place that it means."""
    source, as_url = None, True
    if node.type in ("import_statement", "export_statement"):
        source = node.child_by_field_name("source")
    elif node.type == "call_expression":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if (
            function is not None
            and arguments is not None
            and text(function) in ("import", "require", "require.resolve")
        ):
            source = arguments.named_children[0] if arguments.named_child_count else None
            as_url = text(function) == "import"
    if source is None or source.type != "string":
        return
    new = resolve(text(source)[1:-1], as_url)
    if new is not None:
        edits.put(source.start_byte, source.end_byte, quoted(new))


def quoted(value: str) -> str:
    """Text as a literal of JavaScript."""
    return json.dumps(value)
