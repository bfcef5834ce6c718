"""A JavaScript file as the stand-in reads it: a syntax tree with positions in bytes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

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


def parser() -> Parser:
    """A parser for JavaScript. It reads TypeScript well enough to tell names from strings."""
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_javascript.language()))


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, in the order of the text."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(top.children))


def text_of(node: Node | None) -> str:
    """The text of a node."""
    return node.text.decode() if node is not None and node.text is not None else ""


def string_of(node: Node | None) -> str | None:
    """The value of a string without escapes, or None."""
    text = text_of(node)
    return text[1:-1] if node is not None and node.type == "string" and "\\" not in text else None


def named(node: Node, name: str) -> Node | None:
    """A child by its field name."""
    return node.child_by_field_name(name)


@dataclass(frozen=True, slots=True)
class Script:
    """One parsed file."""

    path: str
    data: bytes
    root: Node

    @classmethod
    def of(cls, path: str, text: str) -> Script:
        """The file, parsed as far as it can be."""
        data = text.encode()
        return cls(path, data, parser().parse(data).root_node)

    def target(self, specifier: str | None) -> str:
        """The path that a relative import means, without its suffix and a final `/index`; empty for a package."""
        if specifier is None or not specifier.startswith("."):
            return ""
        return stem(posixpath.normpath(posixpath.join(posixpath.dirname(self.path), specifier)))


def stem(path: str) -> str:
    """A path as imports spell it: no suffix, no final `index`."""
    for suffix in (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"):
        path = path.removesuffix(suffix)
    return path.removesuffix("/index") if path != "index" else "."


def source_of(node: Node) -> str | None:
    """The module that an import, a re-export or a `require(...)` names."""
    if node.type in {"import_statement", "export_statement"}:
        return string_of(named(node, "source"))
    if node.type == "call_expression":
        function, arguments = named(node, "function"), named(node, "arguments")
        loads = function is not None and text_of(function) in {"require", "import"}
        if loads and arguments is not None and arguments.named_child_count == 1:
            return string_of(arguments.named_child(0))
    if node.type == "await_expression" and node.named_child_count:
        return source_of(node.named_children[0])
    return None
